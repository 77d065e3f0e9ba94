import { type DataSm, type DeliverSm, joinSegments, mobileOriginatedSegment, placeOfPart } from '@heliograph/smpp';
import type pg from 'pg';
import type { Logger } from '#platform/log';
import { isRefused } from '#platform/transient-error';
import type { PostgresSession } from '../postgres-session.ts';
import type { Link } from '../sending/link.ts';
import type { InboundMessage, OnInbound } from './hand-on.ts';
import {
  keepPart,
  keyOf,
  lockParts,
  markHandedOn,
  messageOf,
  type NewPart,
  type PartRow,
  storable,
} from './part-rows.ts';

/** What is committed together at most. */
const BATCH = 500;

/** What came from a phone: one part of a message in several, or a whole message. */
type Item = { kind: 'part'; part: NewPart } | { kind: 'message'; message: InboundMessage };

interface Waiting {
  item: Item;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Takes messages from phones, of all links of a process, and hands them on whole. Parts come in any order, twice, and
 * through several processes; each is committed before its taking resolves, together with the hand-on it completes.
 */
export class InboundParts {
  readonly #session: PostgresSession;
  readonly #onInbound: OnInbound;
  readonly #log: Logger;
  #waiting: Waiting[] = [];
  #working: Promise<void> | undefined;

  constructor(session: PostgresSession, onInbound: OnInbound, log: Logger) {
    this.#session = session;
    this.#onInbound = onInbound;
    this.#log = log;
  }

  /** Resolves once the message is kept durably. Rejects where it is not, and the carrier must send it again. */
  take(pdu: DeliverSm | DataSm, link: Pick<Link, 'id' | 'default_charset'>): Promise<void> {
    const item = itemOf(pdu, link, Date.now());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  async #work(): Promise<void> {
    // What comes in one turn of the event loop goes together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#record(this.#waiting.splice(0, BATCH));
    // In the same turn in which nothing waits any more, or what comes next would wait for a work that is over.
    this.#working = undefined;
  }

  /** Never rejects. What cannot be kept for a reason of its own is set aside, and the rest is kept. */
  async #record(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#commit(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (!isRefused(error)) for (const { reject } of batch) reject(error);
      else if (batch.length > 1) for (const each of batch) await this.#record([each]);
      else await this.#setAside(batch[0]!, error as Error);
    }
  }

  async #commit(items: readonly Item[]): Promise<void> {
    const client = await this.#session.client();
    await client.query('BEGIN');
    try {
      const messages = items.flatMap((item) => (item.kind === 'message' ? [item.message] : []));
      const parts = items.flatMap((item) => (item.kind === 'part' ? [item.part] : []));
      if (parts.length > 0) messages.push(...(await this.#place(client, parts)));
      if (messages.length > 0) await this.#onInbound(client, messages);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Keeps the parts and answers the messages that are to be handed on with them. */
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
    this.#log.error({ err: error, kind: item.kind }, 'a message from a phone was set aside');
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

  /** Waits for what is being recorded, and ends the session. */
  async end(): Promise<void> {
    await this.#working;
    await this.#session.end();
  }
}

function itemOf(pdu: DeliverSm | DataSm, link: Pick<Link, 'id' | 'default_charset'>, at: number): Item {
  const { part, kind, data_coding, udh_octets, body } = mobileOriginatedSegment(pdu);
  const charset = link.default_charset;
  const addresses = { link_id: link.id, sender: pdu.source_addr, recipient: pdu.destination_addr };
  if (!part || !kind) {
    const text = storable(joinSegments([{ number: 1, data_coding, udh_octets, body }], 1, charset));
    return { kind: 'message', message: { ...addresses, text, parts: 1, total: 1, received_at: at } };
  }
  const { ref: reference, total, number } = part;
  // The octets are views into what the session reads next.
  const own = { data_coding, udh_octets, body: Buffer.from(body) };
  return { kind: 'part', part: { ...addresses, ...own, kind, reference, total, number, at, charset } };
}
