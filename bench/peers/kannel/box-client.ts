import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

// Protocol between smsbox and bearerbox: a length of 32 bits, then a message packed field by field. Whole numbers are
// 32 bits in network order. Texts follow their length, which is -1 for none. Ids are UUIDs written as text.

const TYPE = { admin: 1, sms: 2, ack: 3 };
const IDENTIFY = 3;
const PUSH = 2;
const DELIVERED_OR_NOT = 3;
const UNDEFINED = -1;
const TEXT_FIELDS_BEFORE_TIME = 4;
const TEXT_FIELDS_BEFORE_ID = 5;

class Packer {
  #buffer = Buffer.alloc(64 * 1_024);
  #length = 0;

  int(value: number): this {
    this.#length = this.#buffer.writeInt32BE(value, this.#length);
    return this;
  }

  text(value: string | null): this {
    if (value === null) return this.int(UNDEFINED);
    this.int(value.length);
    this.#length += this.#buffer.write(value, this.#length, 'latin1');
    return this;
  }

  none(fields: number): this {
    for (let i = 0; i < fields; i++) this.int(UNDEFINED);
    return this;
  }

  /** Packs one message after its length. */
  message(pack: () => void): void {
    if (this.#length > this.#buffer.length / 2) {
      this.#buffer = Buffer.concat([this.#buffer, Buffer.alloc(this.#buffer.length)]);
    }
    const start = this.#length;
    this.#length += 4;
    pack();
    this.#buffer.writeInt32BE(this.#length - start - 4, start);
  }

  /** Returns all packed messages and forgets them. */
  take(): Buffer {
    const taken = Buffer.from(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }
}

/** A connection to bearerbox that sends messages and gets receipts. */
export class BoxClient {
  readonly #socket: Socket;
  readonly #name: string;
  readonly #packer = new Packer();
  #rest: Buffer = Buffer.alloc(0);
  #broken: Error | undefined;
  /** Number of receipts that bearerbox handed over; each is acknowledged. */
  receipts = 0;

  private constructor(socket: Socket, name: string) {
    this.#socket = socket;
    this.#name = name;
    socket.setNoDelay(true);
    socket.on('data', (octets: Buffer) => this.#read(octets));
    socket.on('error', (error) => {
      this.#broken = error;
    });
    this.#packer.message(() => this.#packer.int(TYPE.admin).int(IDENTIFY).text(name));
    socket.write(this.#packer.take());
  }

  static async open(port: number, name: string): Promise<BoxClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new BoxClient(socket, name);
  }

  /** Sends messages with one text to numbers, each with a request for a receipt. Throws if the connection is broken. */
  send(numbers: readonly string[], text: string): void {
    if (this.#broken) throw new Error(`bearerbox has closed the connection: ${this.#broken.message}`);
    const now = Math.floor(Date.now() / 1_000);
    const p = this.#packer;
    for (const number of numbers) {
      p.message(() => {
        p.int(TYPE.sms).text('Bench').text(number).text(null).text(text).int(now);
        // SMSC, number and foreign id; service; account.
        p.text(null).text(null).text(null).text('bench').text(null).text(randomUUID());
        // Kind; class, waiting indication; coding, compression; validity, deferral.
        p.int(PUSH).none(2).int(0).int(0).none(2);
        // Receipt mask and URL; protocol id, alternative coding, reply path; charset, box, billing.
        p.int(DELIVERED_OR_NOT).text('x').none(3).text(null).text(this.#name).text(null);
        // Messages left, priority, tries and their time; meta data.
        p.int(UNDEFINED).int(0).none(2).text(null);
      });
    }
    this.#socket.write(p.take());
  }

  #read(octets: Buffer): void {
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, octets]) : octets;
    let at = 0;
    while (all.length - at >= 4 && all.length - at - 4 >= all.readInt32BE(at)) {
      if (all.readInt32BE(at + 4) === TYPE.sms) this.#receipt(all, at + 8);
      at += 4 + all.readInt32BE(at);
    }
    this.#rest = all.subarray(at);
    const acknowledgements = this.#packer.take();
    if (acknowledgements.length > 0) this.#socket.write(acknowledgements);
  }

  #receipt(all: Buffer, start: number): void {
    let at = start;
    const text = () => {
      const length = Math.max(0, all.readInt32BE(at));
      at += 4 + length;
      return all.toString('latin1', at - length, at);
    };
    for (let i = 0; i < TEXT_FIELDS_BEFORE_TIME; i++) text();
    const time = all.readInt32BE(at);
    at += 4;
    for (let i = 0; i < TEXT_FIELDS_BEFORE_ID; i++) text();
    const id = text();
    this.receipts++;
    this.#packer.message(() => this.#packer.int(TYPE.ack).int(0).int(time).text(id));
  }

  close(): void {
    this.#socket.destroy();
  }
}
