import type pg from 'pg';
import { type Registrations, type Routing, readRouting } from '#modules/carrier-routes';
import { NETWORK_STAMP } from '#modules/networks';
import { rowsOf } from '#platform/database/queryable';
import type { Repeated } from '#platform/jobs/repeat';
import { repeatWhileWork, type WorkWatch } from '#platform/jobs/work-watch';
import type { Logger } from '#platform/log';
import { numberDigest } from '#platform/person/number-digest';
import { MsisdnSet } from '#platform/structures/msisdn-set';
import { placeOf } from '../message-id.ts';
import type { PostgresSession } from '../postgres-session.ts';
import type { ChunkContext, Message } from '../segment.ts';

const LOOK_EVERY_MS = 250;
/** Maximum age of the known opt-outs when bytes leave: an opt-out takes effect within a second after it was stored. */
const FRESH_MS = 800;
/** Time without messages after which a corporation's opt-outs are dropped; they are read again when it sends. */
const FORGET_AFTER_MS = 600_000;
const PAGE = 20_000;

const SINCE = `changed_in >= pg_snapshot_xmin($1::pg_snapshot) AND changed_in < pg_snapshot_xmax(pg_current_snapshot())
        AND NOT pg_visible_in_snapshot(changed_in, $1::pg_snapshot)`;
// Finds changes that the last look could not see: transactions that have committed since, however long they took. Rows
// from a restored backup may name future transactions; those were read with their corporation. The first look reads all
// sender IDs that may not be used.
const LOOK = {
  name: 'look-for-opt-outs',
  text: `
    SELECT pg_current_snapshot()::text AS snapshot, (SELECT version::text FROM carrier_route_version) || ' ' || ${NETWORK_STAMP} AS routes, (
      SELECT json_agg(json_build_array(corporation_id, number, ended_at IS NULL) ORDER BY id) FROM opt_out
      WHERE ${SINCE}
    ) AS changes, (
      SELECT json_agg(json_build_array(corporation_id, digest, ended_at IS NULL) ORDER BY id) FROM erased_stop
      WHERE kind = 'opt_out' AND ${SINCE}
    ) AS erased, coalesce((
      SELECT json_agg(json_build_array(corporation_id, sender_id, true)) FROM sender_barred
      WHERE $1::pg_snapshot IS NULL AND barred
    ), (
      SELECT json_agg(json_build_array(corporation_id, sender_id, barred)) FROM sender_barred WHERE ${SINCE}
    )) AS senders`,
};

const READ = {
  name: 'read-opt-outs',
  text: `
    SELECT number FROM opt_out WHERE corporation_id = $1 AND ended_at IS NULL AND number > $2
    ORDER BY number LIMIT ${PAGE}`,
};

const READ_ERASED = {
  name: 'read-erased-opt-outs',
  text: "SELECT digest FROM erased_stop WHERE corporation_id = $1 AND kind = 'opt_out' AND ended_at IS NULL",
};

type Change = [corporation_id: number, number: string, active: boolean];
/** Reason why nothing leaves under a sender ID. */
export type SenderBar = 'sender_not_allowed' | 'sender_not_registered';
type SenderChange = [corporation_id: number, sender_id: string, barred: boolean];

/** Returns the key of a sender ID of a corporation: equal for the ways to write a number. */
const senderKey = (corporation: number, sender: string): string =>
  `${corporation} ${sender.replace(/^00(?=\d+$)/, '')}`;

/** Returns the network to which the number at a place of a chunk was ported; undefined if none is recorded. */
function portedTo(ported: ChunkContext['ported'], place: number): number | undefined {
  if (ported === null) return undefined;
  for (let at = 0; at < ported.length; at += 2) if (ported[at] === place) return ported[at + 1];
  return undefined;
}

interface Known {
  numbers: MsisdnSet;
  /** Keyed hashes of the numbers of people whose records were erased. */
  erased: Set<string>;
  /** Reading of the corporation's opt-outs; undefined once it has ended. */
  reading: Promise<void> | undefined;
  /** Numbers and hashes that changed during the reading: the looks have newer values. */
  changed: Set<string>;
  usedAt: number;
}

/**
 * Recipients who opted out, of the corporations that send now, and sender IDs that may not be used. They are read once,
 * kept fresh by looking for changes every quarter of a second, and checked last before bytes leave. Only a confirmation
 * of an opt-out passes an opt-out: no class does, and no permission of a person. Nothing passes a barred sender ID.
 */
export class OptOuts {
  readonly #session: PostgresSession;
  readonly #log: Logger;
  readonly #known = new Map<number, Known>();
  /** Sender IDs that are not approved, or were deleted, by `senderKey`. */
  readonly #barred = new Set<string>();
  /** Sender IDs that carriers know, by the version of the routes with which they were read. */
  #registrations: Registrations | undefined;
  /** Networks of numbers, if a registration names one. */
  #networks: Routing['networks'] = null;
  #routes: string | undefined;
  #seen: string | null = null;
  /** Time when the last finished look began (performance.now()). */
  #freshAt = Number.NEGATIVE_INFINITY;
  #looking: Repeated | undefined;
  #waiting: (() => void)[] = [];
  #stopped = false;

  constructor(session: PostgresSession, log: Logger) {
    this.#session = session;
    this.#log = log;
  }

  /** Begins to look; with a `watch`, looks rest while there is nothing to send. */
  start(watch?: WorkWatch): void {
    this.#looking = repeatWhileWork(
      watch,
      LOOK_EVERY_MS,
      () => this.#look(),
      (error) => this.#log.warn({ err: error }, 'could not read opt-outs; sending paused; retrying'),
    );
    this.#looking.wake();
  }

  async #look(): Promise<void> {
    const began = performance.now();
    await this.#read();
    this.#freshAt = began;
    for (const go of this.#waiting.splice(0)) go();
  }

  async #read(): Promise<void> {
    const client = await this.#session.client();
    const { rows } = await client.query<{
      snapshot: string;
      routes: string;
      changes: Change[] | null;
      erased: Change[] | null;
      senders: SenderChange[] | null;
    }>({
      ...LOOK,
      values: [this.#seen],
    });
    const { snapshot, routes, changes, erased, senders } = rows[0]!;
    if (routes !== this.#routes) {
      const { table } = await readRouting((text, values) => rowsOf(client, text, values), null);
      this.#registrations = table.registrations;
      this.#networks = table.networks;
      this.#routes = routes;
    }
    this.#seen = snapshot;
    for (const [corporation, sender, barred] of senders ?? []) {
      if (barred) this.#barred.add(senderKey(corporation, sender));
      else this.#barred.delete(senderKey(corporation, sender));
    }
    this.#follow(changes, 'numbers');
    this.#follow(erased, 'erased');
    const forgotten = performance.now() - FORGET_AFTER_MS;
    for (const [corporation, { usedAt, reading }] of this.#known)
      if (usedAt < forgotten && !reading) this.#known.delete(corporation);
  }

  #follow(changes: Change[] | null, kind: 'numbers' | 'erased'): void {
    for (const [corporation, number, active] of changes ?? []) {
      const known = this.#known.get(corporation);
      if (!known) continue;
      if (known.reading) known.changed.add(number);
      if (active) known[kind].add(number);
      else known[kind].delete(number);
    }
  }

  /**
   * Reads the opt-outs of these chunks' corporations that are not known; undefined if all are. Never rejects: while the
   * database is away, it waits.
   */
  learn(chunks: Iterable<ChunkContext>): Promise<unknown> | undefined {
    const reading: Promise<void>[] = [];
    for (const { corporation_id } of chunks) {
      const known = this.#known.get(corporation_id);
      if (!known) reading.push(this.#begin(corporation_id));
      else if (known.reading) reading.push(known.reading);
    }
    return reading.length > 0 ? Promise.all(reading) : undefined;
  }

  #begin(corporation: number): Promise<void> {
    const known: Known = {
      numbers: new MsisdnSet(),
      erased: new Set(),
      reading: undefined,
      changed: new Set(),
      usedAt: performance.now(),
    };
    this.#known.set(corporation, known);
    known.reading = this.#readAll(corporation, known).finally(() => {
      known.reading = undefined;
      known.changed.clear();
    });
    return known.reading;
  }

  async #readAll(corporation: number, known: Known): Promise<void> {
    // Changes are seen only from the first look on.
    if (this.#seen === null) await this.#looked();
    while (!this.#stopped) {
      try {
        await this.#readPages(corporation, known);
        return;
      } catch (error) {
        this.#log.warn({ err: error }, 'could not read opt-outs; retrying');
        await this.#looked();
      }
    }
  }

  async #readPages(corporation: number, { numbers, erased, changed }: Known): Promise<void> {
    const client = await this.#session.client();
    const { rows } = await client.query<{ digest: string }>({ ...READ_ERASED, values: [corporation] });
    for (const { digest } of rows) if (!changed.has(digest)) erased.add(digest);
    for (let from: string | undefined = ''; from !== undefined; ) {
      const page: pg.QueryResult<{ number: string }> = await client.query({ ...READ, values: [corporation, from] });
      for (const { number } of page.rows) if (!changed.has(number)) numbers.add(number);
      from = page.rows.length === PAGE ? page.rows.at(-1)!.number : undefined;
    }
  }

  /** Refreshes the opt-outs; undefined if they are fresh enough for bytes to leave, else resolves once they are. */
  refresh(): Promise<void> | undefined {
    return performance.now() - this.#freshAt <= FRESH_MS || this.#stopped ? undefined : this.#looked();
  }

  /** Resolves with the next look that succeeds. */
  #looked(): Promise<void> {
    this.#looking?.wake();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Answers the numbers to which a chunk must not be sent; undefined if there are none. */
  of({ corporation_id, confirms_opt_out }: ChunkContext): Pick<MsisdnSet, 'has'> | undefined {
    const known = this.#known.get(corporation_id);
    if (!known || confirms_opt_out) return undefined;
    known.usedAt = performance.now();
    const { numbers, erased } = known;
    if (erased.size > 0) return { has: (number) => numbers.has(number) || erased.has(numberDigest(number)) };
    return numbers.size > 0 ? numbers : undefined;
  }

  /**
   * Returns why nothing of a chunk may leave by a link, if so: its sender ID was suspended or deleted, has expired or is
   * not approved, or the link's carrier asks for a registration that it does not have. With a message, also why that one
   * may not.
   */
  bars(chunk: ChunkContext, linkId: number, message?: Pick<Message, 'id' | 'msisdn'>): SenderBar | undefined {
    if (this.#barred.size > 0 && this.#barred.has(senderKey(chunk.corporation_id, chunk.sender_id)))
      return 'sender_not_allowed';
    if (this.#registrations?.asked && !this.#registrations.allows(linkId, chunk)) return 'sender_not_registered';
    return message && this.outside(chunk, linkId)?.(message) ? 'sender_not_registered' : undefined;
  }

  /**
   * Returns a function that tells which messages of a chunk may not leave by a link because its carrier knows the sender ID
   * only in other networks; undefined if its registration names none.
   */
  outside(chunk: ChunkContext, linkId: number): ((message: Pick<Message, 'id' | 'msisdn'>) => boolean) | undefined {
    const registrations = this.#registrations;
    if (!registrations?.asks(linkId) || !registrations.isLimited(chunk)) return undefined;
    return ({ id, msisdn }) => {
      const network = portedTo(chunk.ported, placeOf(id)) ?? this.#networks?.networkOf(msisdn)?.id ?? 0;
      return !registrations.allows(linkId, chunk, network);
    };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#looking?.stop();
    for (const go of this.#waiting.splice(0)) go();
    await this.#session.end();
  }
}
