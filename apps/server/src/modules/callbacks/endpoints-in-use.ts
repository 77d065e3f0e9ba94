import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { open, seal } from '#platform/process/seal';
import { keyOf, newSecret, secretContext } from './signing.ts';

/** Settings of an endpoint that a call needs. */
export interface EndpointInUse {
  url: string | null;
  /** True while the endpoint takes no calls except samples. */
  resting: boolean;
  /** Keys that sign, the newest first. */
  keys: readonly Buffer[];
}

/**
 * Time for which a reading is used. A change of a secret or an address takes effect within a second: this time plus one
 * reading.
 */
const FRESH_MS = 800;

const READ = `
  SELECT e.id, e.corporation_id, e.url, NOT e.enabled OR e.paused_at IS NOT NULL AS resting,
    coalesce((SELECT array_agg(s.sealed ORDER BY s.id DESC) FROM callback_secret s
      WHERE s.callback_endpoint_id = e.id AND (s.expires_at IS NULL OR s.expires_at > now())), '{}') AS sealed
  FROM callback_endpoint e WHERE e.id = ANY ($1::bigint[])`;

// Adds a first secret to an endpoint that has none. Nobody has seen it, but it still proves that nobody else has
// signed.
const ADD_SECRET = `
  INSERT INTO callback_secret (corporation_id, callback_endpoint_id, sealed, shown) VALUES ($1, $2, $3, false)
  ON CONFLICT (callback_endpoint_id) WHERE expires_at IS NULL DO NOTHING`;

interface Row {
  id: number;
  corporation_id: number;
  url: string | null;
  resting: boolean;
  sealed: string[];
}

/** Endpoints as they were within the last second. */
export class EndpointsInUse {
  readonly #database: Kysely<Database>;
  readonly #key: Buffer;
  readonly #known = new Map<number, { endpoint: EndpointInUse | undefined; at: number }>();
  readonly #wanted = new Set<number>();
  #reading: Promise<void> | undefined;

  constructor(database: Kysely<Database>, key: Buffer) {
    this.#database = database;
    this.#key = key;
  }

  /** Returns the endpoint, or undefined if it was deleted. Throws if the database does not answer. */
  async of(id: number): Promise<EndpointInUse | undefined> {
    for (;;) {
      const known = this.#known.get(id);
      if (known && performance.now() - known.at < FRESH_MS) return known.endpoint;
      this.#wanted.add(id);
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
  }

  async #read(): Promise<void> {
    // Requests of the same turn are read together.
    await new Promise(setImmediate);
    const ids = [...this.#wanted];
    this.#wanted.clear();
    const at = performance.now();
    let rows = await rowsOf<Row>(this.#database, READ, [ids]);
    const bare = rows.filter(({ sealed }) => sealed.length === 0);
    if (bare.length > 0) {
      for (const { id, corporation_id } of bare)
        await rowsOf(this.#database, ADD_SECRET, [corporation_id, id, seal(this.#key, newSecret(), secretContext(id))]);
      rows = await rowsOf<Row>(this.#database, READ, [ids]);
    }
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids) {
      const row = byId.get(id);
      const endpoint = row && {
        url: row.url,
        resting: row.resting,
        keys: row.sealed.map((sealed) => keyOf(open(this.#key, sealed, secretContext(id)))),
      };
      this.#known.set(id, { endpoint, at });
    }
  }

  /** Removes endpoints that were not used lately. */
  tidy(): void {
    const long = performance.now() - 60_000;
    for (const [id, { at }] of this.#known) if (at < long) this.#known.delete(id);
  }
}
