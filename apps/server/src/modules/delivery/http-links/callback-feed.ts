import { type DataSm, type DeliverSm, decodePdu, type PduFrame, STATUS } from '@heliograph/smpp';
import type { Logger } from '#platform/log';
import type { PostgresSession } from '../postgres-session.ts';
import type { Bringer, SessionsHandler } from '../sending/carrier-sessions.ts';
import type { Brought, CallbackKind } from './read-callback.ts';

/** Maximum rows that are read together, and that wait for their record. */
const PAGE = 500;
const MOST_WAITING = 2_000;
const LARGEST_SEQUENCE = 0x7fff_ffff;

// Rows that wait are named, because an id that was drawn earlier may be committed later.
const READ = `SELECT id, pdu FROM carrier_callback WHERE link_id = $1 AND id <> ALL ($2::bigint[]) ORDER BY id LIMIT ${PAGE}`;
const REMOVE = 'DELETE FROM carrier_callback WHERE id = ANY ($1::bigint[])';
/** Stores receipts and replies of one call or page. */
export const KEEP_CALLBACKS = 'SELECT keep_carrier_callbacks($1, $2::bytea[], $3::bytea[]) AS kept';

/**
 * Receipts and replies of one link that came by HTTP. They are stored before the carrier gets its answer. The holder of
 * the link takes them from there, and removes each once it is recorded.
 */
export class CallbackFeed implements Bringer {
  readonly #linkId: number;
  readonly #session: PostgresSession;
  readonly #log: Logger;
  /** Rows that were passed on, by the sequence number of their request. */
  readonly #rows = new Map<number, number>();
  #done: number[] = [];
  #sequence = 0;
  #reading: Promise<void> | undefined;
  #again = false;
  state = 'bound';

  constructor(linkId: number, session: PostgresSession, log: Logger) {
    this.#linkId = linkId;
    this.#session = session;
    this.#log = log;
  }

  rowOf(sequence: number): number | undefined {
    return this.#rows.get(sequence);
  }

  /** Takes the platform's answer to a receipt or reply. One that could not be recorded is read again. */
  respond({ sequence }: { sequence: number }, status: number): void {
    const row = this.#rows.get(sequence);
    this.#rows.delete(sequence);
    if (row !== undefined && status === STATUS.ROK) this.#done.push(row);
  }

  /** Removes what is recorded, and passes on what has come. Never rejects. */
  async look(onRequests: SessionsHandler['onRequests']): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#work(onRequests).finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #work(onRequests: SessionsHandler['onRequests']): Promise<void> {
    while (this.#again) {
      this.#again = false;
      try {
        await this.#remove();
        if (this.state !== 'bound' || this.#rows.size >= MOST_WAITING) return;
        const client = await this.#session.client();
        const waiting = [...this.#rows.values(), ...this.#done];
        const { rows } = await client.query<{ id: number; pdu: Buffer }>(READ, [this.#linkId, waiting]);
        if (rows.length > 0) this.#pass(rows, onRequests);
        this.#again ||= rows.length === PAGE;
      } catch (error) {
        this.#log.warn({ err: error }, 'could not read receipts and replies of callbacks; retrying');
      }
    }
  }

  #pass(rows: readonly { id: number; pdu: Buffer }[], onRequests: SessionsHandler['onRequests']): void {
    const requests: (DeliverSm | DataSm)[] = [];
    const frames: PduFrame[] = [];
    for (const { id, pdu } of rows) {
      this.#sequence = (this.#sequence % LARGEST_SEQUENCE) + 1;
      this.#rows.set(this.#sequence, id);
      requests.push({ ...(decodePdu(pdu) as DeliverSm), sequence: this.#sequence });
      frames.push({ buffer: pdu, start: 0, end: pdu.length });
    }
    onRequests(requests, this, frames);
  }

  async #remove(): Promise<void> {
    // A copy: more rows may be recorded during the statement, and must not be forgotten with those that it removes.
    const done = [...this.#done];
    if (done.length === 0) return;
    const client = await this.#session.client();
    await client.query(REMOVE, [done]);
    this.#done = this.#done.slice(done.length);
  }

  /** Stores what a poll brought, with the cursor of the next page; answers how many were new. */
  async keep(kind: CallbackKind, brought: readonly Brought[], cursor: string | undefined): Promise<number> {
    const client = await this.#session.client();
    await client.query('BEGIN');
    try {
      const { rows } = await client.query<{ kept: number }>(KEEP_CALLBACKS, [
        this.#linkId,
        brought.map(({ pdu }) => pdu),
        brought.map(({ digest }) => digest),
      ]);
      if (cursor !== undefined)
        await client.query(
          `INSERT INTO carrier_poll (link_id, kind, cursor) VALUES ($1, $2, $3)
           ON CONFLICT (link_id, kind) DO UPDATE SET cursor = excluded.cursor`,
          [this.#linkId, kind, cursor],
        );
      await client.query('COMMIT');
      return rows[0]!.kept;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Reads the cursor of the next page; '' at first. */
  async cursorOf(kind: CallbackKind): Promise<string> {
    const client = await this.#session.client();
    const { rows } = await client.query<{ cursor: string }>(
      'SELECT cursor FROM carrier_poll WHERE link_id = $1 AND kind = $2',
      [this.#linkId, kind],
    );
    return rows[0]?.cursor ?? '';
  }

  /** Passes on nothing more, and removes what is recorded. */
  async end(): Promise<void> {
    this.state = 'closed';
    await this.#reading;
    await this.#remove().catch(() => undefined);
    await this.#session.end();
  }
}
