import { randomUUID } from 'node:crypto';
import { type DataSm, type DeliverSm, mobileOriginatedSegment, placeOfPart } from '@heliograph/smpp';
import type pg from 'pg';
import { numberArray } from '#platform/database/array-literal';
import { isRefused } from '#platform/database/transient-error';
import { failpoint } from '#platform/failpoints';
import type { Logger } from '#platform/log';
import type { PostgresSession } from '../postgres-session.ts';
import type { Bringer } from '../sending/carrier-sessions.ts';
import type { Link } from '../sending/link.ts';
import type { Rewriting } from '../sending/rewriting.ts';
import { readVendorTlvs, type VendorParameters } from '../sending/vendor-parameters.ts';
import type { InboundMessage, OnInbound } from './hand-on.ts';
import {
  contentOf,
  keepPart,
  keyOf,
  lockParts,
  markHandedOn,
  messageOf,
  type NewPart,
  type PartRow,
} from './part-rows.ts';
import { digestOf, newOf, type Seen } from './seen-messages.ts';

/** Maximum messages and parts that one transaction commits. */
const BATCH = 500;

/** A link as a message from a phone needs it. */
export interface InboundLink extends Pick<Link, 'id' | 'default_charset'> {
  /** Names of its TLVs, and rules whose numbers are turned back; undefined for none. */
  vendor?: VendorParameters | undefined;
  rewriting?: Rewriting | undefined;
}

/** The session that brings a message. */
type Session = Pick<Bringer, 'state' | 'rowOf'>;

/** Input from a phone: one part of a message in several, or a whole message. */
type Item = { kind: 'part'; part: NewPart } | { kind: 'message'; message: InboundMessage; seen: Seen };

interface Waiting {
  item: Item;
  /** Row of the callback that brought it. */
  row: number | undefined;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Takes messages from phones on all links of a process, and passes them on whole. Parts come in any order, repeatedly,
 * and through several processes. A part is committed before `take` resolves; if it completes its message, the hand-over
 * is in the same transaction.
 */
export class InboundParts {
  readonly #session: PostgresSession;
  readonly #onInbound: OnInbound;
  readonly #log: Logger;
  readonly #onKept: () => void;
  /** Name of each carrier session in the table of seen messages. */
  readonly #sessions = new Map<Session, string>();
  #waiting: Waiting[] = [];
  #working: Promise<void> | undefined;

  /** `onKept` is called when whole messages were passed to the taker. */
  constructor(session: PostgresSession, onInbound: OnInbound, log: Logger, onKept = () => {}) {
    this.#session = session;
    this.#onInbound = onInbound;
    this.#log = log;
    this.#onKept = onKept;
  }

  /**
   * Resolves once the message is stored durably. Rejects if it is not, and the carrier must send it again. `session` is
   * the session that brought it.
   */
  take(pdu: DeliverSm | DataSm, link: InboundLink, session: Session): Promise<void> {
    const row = session.rowOf?.(pdu.sequence);
    const item = itemOf(pdu, link, Date.now(), this.#nameOf(session));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, row, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  #nameOf(session: Session): string {
    const name = this.#sessions.get(session) ?? randomUUID();
    this.#sessions.set(session, name);
    return name;
  }

  /** Answers the names of the open sessions: messages they brought were answered, or will be. */
  #living(): string[] {
    for (const session of this.#sessions.keys()) if (session.state === 'closed') this.#sessions.delete(session);
    return [...this.#sessions.values()];
  }

  async #work(): Promise<void> {
    // Messages from one turn of the event loop go together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#record(this.#waiting.splice(0, BATCH));
    // Cleared in the same turn in which nothing waits any more. Otherwise the next message would wait for finished
    // work.
    this.#working = undefined;
  }

  /** Records a batch and never rejects. An item that the database refuses is set aside, and the others are kept. */
  async #record(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#commit(batch);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (!isRefused(error)) for (const { reject } of batch) reject(error);
      else if (batch.length > 1) for (const each of batch) await this.#record([each]);
      else await this.#setAside(batch[0]!, error as Error);
    }
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const client = await this.#session.client();
    await client.query('BEGIN');
    try {
      const taken = await takeRows(client, batch);
      const items = taken.map(({ item }) => item);
      // Those of callbacks are known by their rows.
      const asked = new Set(taken.flatMap(({ item, row }) => (row === undefined ? [item] : [])));
      const whole = items.filter((item) => item.kind === 'message');
      const fresh = await newOf(
        client,
        whole.filter((item) => asked.has(item)),
        this.#living(),
      );
      const messages = [...whole.filter((item) => !asked.has(item)), ...fresh].map(({ message }) => message);
      const parts = items.flatMap((item) => (item.kind === 'part' ? [item.part] : []));
      if (parts.length > 0) messages.push(...(await this.#place(client, parts)));
      if (messages.length > 0) await this.#onInbound(client, messages);
      failpoint('inbound.before-commit');
      await client.query('COMMIT');
      failpoint('inbound.after-commit');
      if (messages.length > 0) this.#onKept();
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Keeps the parts and answers the messages that they complete. */
  async #place(client: pg.Client, parts: readonly NewPart[]): Promise<InboundMessage[]> {
    const known = Map.groupBy(await lockParts(client, parts), keyOf);
    const messages: InboundMessage[] = [];
    for (const part of parts) {
      const rows = known.get(keyOf(part)) ?? [];
      const place = placeOfPart(part, rows);
      if (place === 'duplicate') continue;
      const handOn = async (waiting: readonly PartRow[]) => {
        messages.push(messageOf(waiting, part.charset));
        await markHandedOn(client, waiting);
        for (const row of waiting) row.handed_on = true;
      };
      if (place === 'restarts') await handOn(rows.filter((row) => !row.handed_on));
      rows.push(await keepPart(client, part));
      known.set(keyOf(part), rows);
      const waiting = rows.filter((row) => !row.handed_on);
      if (waiting.length === part.total) await handOn(waiting);
    }
    return messages;
  }

  async #setAside({ item, resolve, reject }: Waiting, error: Error): Promise<void> {
    this.#log.error({ err: error, kind: item.kind }, 'inbound message set aside');
    const record =
      item.kind === 'part' ? { ...item.part, body: Buffer.from(item.part.body).toString('hex') } : item.message;
    try {
      const client = await this.#session.client();
      await client.query(`INSERT INTO set_aside (kind, record, error) VALUES ('inbound', $1, $2)`, [
        JSON.stringify(record).replaceAll('\\u0000', ''),
        error.message,
      ]);
      resolve();
    } catch (failure) {
      reject(failure);
    }
  }

  /** Waits until the current batch is recorded, and ends the session. */
  async end(): Promise<void> {
    await this.#working;
    await this.#session.end();
  }
}

/** Removes the rows of callbacks, and leaves out messages whose row is gone: they were handed over before. */
async function takeRows(client: pg.ClientBase, batch: readonly Waiting[]): Promise<readonly Waiting[]> {
  const wanted = batch.flatMap(({ row }) => row ?? []);
  if (wanted.length === 0) return batch;
  const { rows } = await client.query<{ id: number }>(
    'DELETE FROM carrier_callback WHERE id = ANY ($1::bigint[]) RETURNING id',
    [numberArray(wanted)],
  );
  const present = new Set(rows.map(({ id }) => id));
  return batch.filter(({ row }) => row === undefined || present.has(row));
}

function itemOf(pdu: DeliverSm | DataSm, link: InboundLink, at: number, session: string): Item {
  const { part, kind, data_coding, udh_octets, body } = mobileOriginatedSegment(pdu);
  const charset = link.default_charset;
  const { vendor, rewriting } = link;
  const addresses = {
    link_id: link.id,
    sender: rewriting?.original(pdu.source_addr) ?? pdu.source_addr,
    recipient: rewriting?.originalRecipient(pdu.destination_addr) ?? pdu.destination_addr,
    parameters: vendor ? vendor.read(pdu.tlvs, true) : readVendorTlvs(pdu.tlvs),
  };
  if (!part || !kind) {
    const content = contentOf([{ number: 1, data_coding, udh_octets, body }], 1, charset);
    const message = { ...addresses, ...content, parts: 1, total: 1, received_at: at };
    return { kind: 'message', message, seen: { digest: digestOf(pdu, link.id), session } };
  }
  const { ref: reference, total, number } = part;
  // Copied, because the octets are views into the session's next read.
  const own = { data_coding, udh_octets, body: Buffer.from(body) };
  return { kind: 'part', part: { ...addresses, ...own, kind, reference, total, number, at, charset } };
}
