import type { Locale } from '@heliograph/contract/kernel/scope';
import type { GuardMode } from '@heliograph/contract/verify/verify-service';
import type { VerifyWording } from '@heliograph/contract/verify/verify-text';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { fieldError } from '#platform/errors';
import { KeptValue } from '#platform/structures/kept-value';

/** Service as it is stored. */
export interface Service extends VerifyWording {
  id: number;
  corporation_id: number;
  tries: number;
  resends: number;
  resend_pause: number;
  senders: string[];
  language: Locale;
  texts: { language: Locale; text: string }[];
  countries: string[];
  guard: GuardMode;
  number_limit: number;
  address_limit: number;
  device_limit: number;
  block_limit: number;
  /** Lines of its reputation list. */
  reputation_lines: number;
}

/** Time in ms for which a service that was read is used. */
const GOOD_FOR_MS = 800;
const MOST_KNOWN = 10_000;

/** Reads services, and keeps them for less than a second. */
export class ServiceReader {
  readonly #db: Kysely<Database>;
  readonly #known = new Map<string, KeptValue<Service | undefined>>();

  /** `db` has sessions of the role `intake`. */
  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Returns a service of a corporation. Throws on `service` if there is none. */
  async service(corporation_id: number, id: number): Promise<Service> {
    const key = `${corporation_id} ${id}`;
    let known = this.#known.get(key);
    if (!known) {
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      known = new KeptValue(() => this.#read(corporation_id, id), GOOD_FOR_MS);
      this.#known.set(key, known);
    }
    const service = await known.get();
    if (!service) throw fieldError('service', 'not_visible');
    return service;
  }

  async #read(corporation_id: number, id: number): Promise<Service | undefined> {
    const { rows } = await sql<Service>`
      SELECT * FROM verify_service WHERE id = ${id} AND corporation_id = ${corporation_id}`.execute(this.#db);
    return rows[0];
  }
}
