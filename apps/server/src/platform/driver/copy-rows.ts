import pg from 'pg';

// COPY … FROM STDIN in PostgreSQL's binary format costs the server a third of an INSERT, because many rows go to their
// pages at a time. The three protocol messages (query, data, done) are sent in one write, without waiting for the
// server to ask for the data. A COPY can therefore be part of a pipeline. If the statement fails, the server skips the
// data by itself.

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const EPOCH_2000_MS = 946_684_800_000;
const TWO_32 = 2 ** 32;
const CAPACITY = 65_536;
const INTEGER_OID = 23;

/** Buffers of finished COPYs, for the next ones. */
const spare: Buffer[] = [];
const MOST_SPARE = 32;

/** Rows for one COPY, written field by field in the order of its columns. */
export class CopyRows {
  #buffer: Buffer;
  #length = 0;
  #fields: number;
  count = 0;

  /** `fields` is the number of columns. */
  constructor(fields: number) {
    this.#fields = fields;
    this.#buffer = spare.pop() ?? Buffer.allocUnsafeSlow(CAPACITY);
    // CopyData's own header is filled in at the end.
    this.#length = 5;
    SIGNATURE.copy(this.#buffer, this.#length);
    this.#length += SIGNATURE.length;
  }

  /** Begins a row; its fields take at most `octets` without their lengths. */
  row(octets: number): void {
    this.#ensure(octets + 4 * this.#fields + 16);
    this.#u16(this.#fields);
    this.count++;
  }

  #ensure(octets: number): void {
    const needed = this.#length + octets;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, needed));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }

  #u16(value: number): void {
    this.#buffer[this.#length++] = value >>> 8;
    this.#buffer[this.#length++] = value;
  }

  #u32(value: number): void {
    const b = this.#buffer;
    const at = this.#length;
    b[at] = value >>> 24;
    b[at + 1] = value >>> 16;
    b[at + 2] = value >>> 8;
    b[at + 3] = value;
    this.#length = at + 4;
  }

  null(): void {
    this.#u32(0xffffffff);
  }

  smallint(value: number): void {
    this.#u32(2);
    this.#u16(value);
  }

  integer(value: number): void {
    this.#u32(4);
    this.#u32(value);
  }

  /** Writes a whole number that JavaScript holds exactly. */
  bigint(value: number): void {
    this.#u32(8);
    const high = Math.floor(value / TWO_32);
    this.#u32(high);
    this.#u32(value - high * TWO_32);
  }

  boolean(value: boolean): void {
    this.#u32(1);
    this.#buffer[this.#length++] = value ? 1 : 0;
  }

  /** Writes a timestamptz of epoch milliseconds, to the microsecond. */
  moment(epochMs: number): void {
    this.bigint(Math.round((epochMs - EPOCH_2000_MS) * 1_000));
  }

  /** Writes a text, or the label of an enum. */
  text(value: string): void {
    const start = this.#length + 4;
    const { length } = value;
    this.#ensure(3 * length + 64);
    const b = this.#buffer;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 0x7f) {
        const octets = b.write(value, start);
        this.#u32(octets);
        this.#length = start + octets;
        return;
      }
      b[start + i] = code;
    }
    this.#u32(length);
    this.#length = start + length;
  }

  /** Writes an integer[], without nulls. */
  integers(values: readonly number[]): void {
    this.#ensure(8 * values.length + 64);
    this.#u32(20 + 8 * values.length);
    this.#u32(1);
    this.#u32(0);
    this.#u32(INTEGER_OID);
    this.#u32(values.length);
    this.#u32(1);
    for (const value of values) this.integer(value);
  }

  /** Writes a bytea: the octets of one span after another. */
  spans(parts: readonly { buffer: Buffer; start: number; end: number }[]): void {
    const length = parts.reduce((sum, { start, end }) => sum + end - start, 0);
    this.#ensure(length + 64);
    this.#u32(length);
    for (const { buffer, start, end } of parts) {
      buffer.copy(this.#buffer, this.#length, start, end);
      this.#length += end - start;
    }
  }

  /** Writes a bytea: the octets of `buffer` from start to end. */
  octets({ buffer, start, end }: { buffer: Buffer; start: number; end: number }): void {
    const length = end - start;
    this.#ensure(length + 64);
    this.#u32(length);
    buffer.copy(this.#buffer, this.#length, start, end);
    this.#length += length;
  }

  /** Answers the protocol's CopyData and CopyDone; no row may be added after it. */
  messages(): Buffer {
    this.#ensure(16);
    this.#u16(0xffff);
    const b = this.#buffer;
    b[0] = 0x64; // d
    b.writeInt32BE(this.#length - 1, 1);
    b[this.#length++] = 0x63; // c
    this.#u32(4);
    return b.subarray(0, this.#length);
  }

  /** Gives the memory to another COPY; call it when the server has answered. */
  release(): void {
    if (spare.length < MOST_SPARE && this.#buffer.length === CAPACITY) spare.push(this.#buffer);
  }
}

/** One COPY among the statements of a pipelined session. */
class CopyIn extends pg.Query {
  readonly #statement: string;
  readonly #messages: Buffer;

  constructor(statement: string, messages: Buffer, done: (error: Error | undefined) => void) {
    super({ text: statement }, undefined, done);
    this.#statement = statement;
    this.#messages = messages;
  }

  override submit = (connection: pg.Connection): void => {
    connection.query(this.#statement);
    connection.stream.write(this.#messages);
  };

  /** The data is on its way already. */
  handleCopyInResponse(): void {}
}

/** Appends rows to a table that the session's role may write to without row level security. Throws as a query does. */
export function copyIn(client: pg.Client, table: string, columns: string, rows: CopyRows): Promise<void> {
  return new Promise((done, failed) => {
    client.query(
      new CopyIn(`COPY ${table} (${columns}) FROM STDIN (FORMAT binary)`, rows.messages(), (error) => {
        if (error) {
          failed(error);
          return;
        }
        rows.release();
        done();
      }),
    );
  });
}
