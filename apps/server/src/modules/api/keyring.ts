import type { Door } from '@heliograph/contract/api/doors';
import { PERMISSIONS_OF_SCOPES } from '@heliograph/contract/api/service-account';
import { idOfSid } from '@heliograph/contract/api/twilio';
import type { ApiScope } from '@heliograph/contract/kernel/public-operation';
import { type Kysely, sql } from 'kysely';
import { loadCaller } from '#modules/identity';
import type { Program } from '#modules/intake';
import type { Clock } from '#platform/clock';
import type { Caller } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { allowedBy } from '#platform/http/address-list';
import { knowsToken } from '#platform/process/account-token';
import { KeptValue } from '#platform/structures/kept-value';
import { ACCOUNT, digestOf, KEY } from './key-material.ts';
import { todayIn } from './last-day.ts';

/** Holder of a key that makes a call. */
export interface KeyHolder {
  key_id: number;
  scopes: ReadonlySet<ApiScope>;
  /** Interfaces of other gateways that the key opens. */
  doors: ReadonlySet<Door>;
  /** Whether it is a test key: it sees only the data made by test keys. */
  is_test: boolean;
  /** Caller with whose rights it reads. */
  caller: Caller;
  /** Program as which it sends; null if its person has no billing account. */
  program: Program | null;
}

interface Known {
  holder: KeyHolder | null;
  /** Reason why a real key is refused; null if there is none. */
  refusal: BusinessError | null;
  allows(address: string): boolean;
}

/**
 * Time in ms for which a key that was read is trusted. A revoked or narrowed key therefore ends within a second: this
 * time, and that of one read.
 */
const GOOD_FOR_MS = 800;
const MOST_KNOWN = 10_000;
const TOLD_EVERY_MS = 60_000;

/** Returns why a key that exists is refused. Only its holder learns it. */
function refusalOf({ ended, last_day, off }: { ended: boolean; last_day: string | null; off: boolean }) {
  if (ended) return new BusinessError('key_ended', { params: { last_day: last_day! } });
  return off ? new BusinessError('service_account_disabled') : null;
}

/** Finds the holder of a key, and records the last use of keys. */
export class Keyring {
  readonly #intakeDb: Kysely<Database>;
  readonly #authDb: Kysely<Database>;
  readonly #clock: Clock;
  readonly #installationKey: () => Buffer;
  readonly #known = new Map<string, KeptValue<Known>>();
  readonly #toldAt = new Map<number, number>();
  readonly #telling = new Set<Promise<unknown>>();

  /** `installationKey` makes the tokens of programs of Twilio. */
  constructor(
    databases: { intake: Kysely<Database>; auth: Kysely<Database> },
    clock: Clock,
    installationKey: () => Buffer,
  ) {
    this.#intakeDb = databases.intake;
    this.#authDb = databases.auth;
    this.#clock = clock;
    this.#installationKey = installationKey;
  }

  /**
   * Answers the holder of a bearer key, or of an account SID with its token if `form` asks for that, without a promise if
   * it was read just now. Throws `unauthenticated`,
   * `key_ended` after the last day of a key, `service_account_disabled`, and `address_not_allowed` for a key that is valid from
   * other addresses.
   */
  holder(bearer: string | undefined, address: string, form = KEY): KeyHolder | Promise<KeyHolder> {
    if (!bearer || !form.test(bearer)) throw new BusinessError('unauthenticated');
    let kept = this.#known.get(bearer);
    if (!kept) {
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      kept = new KeptValue(() => this.#read(bearer), GOOD_FOR_MS);
      this.#known.set(bearer, kept);
    }
    const known = kept.get();
    return known instanceof Promise ? known.then((read) => this.#admit(read, address)) : this.#admit(known, address);
  }

  #admit(known: Known, address: string): KeyHolder {
    if (known.refusal) throw known.refusal;
    if (!known.holder) throw new BusinessError('unauthenticated');
    if (!known.allows(address)) throw new BusinessError('address_not_allowed');
    this.#used(known.holder.key_id, address);
    return known.holder;
  }

  async #read(bearer: string): Promise<Known> {
    const [, sid, token] = ACCOUNT.exec(bearer) ?? [];
    const digest = digestOf(bearer);
    const now = this.#clock.now().toISOString();
    const which =
      sid === undefined
        ? sql`(k.digest = ${digest} OR k.previous_digest = ${digest} AND k.previous_until > ${now})`
        : sql`k.id = ${idOfSid('AC', sid) ?? 0}`;
    const { rows } = await sql<{
      id: number;
      corporation_id: number;
      user_id: number;
      mode: 'live' | 'test';
      scopes: ApiScope[];
      doors: Door[];
      allowed_ips: string[];
      read_national: boolean;
      account: number | null;
      maker_reads: boolean;
      maker_reads_numbers: boolean;
      service: boolean;
      off: boolean;
      last_day: string | null;
      ended: boolean;
      digests: Buffer[];
    }>`
      SELECT k.id, k.corporation_id, k.user_id, k.mode, coalesce(s.scopes, k.scopes) AS scopes,
        coalesce(s.doors, k.doors) AS doors, coalesce(s.allowed_ips, k.allowed_ips) AS allowed_ips, coalesce(s.read_national, k.read_national) AS read_national,
        s.id IS NOT NULL AS service, coalesce(NOT s.enabled, false) AS off, k.last_day::text,
        coalesce(k.last_day < ${todayIn(this.#clock.now())}, false) AS ended,
        CASE WHEN k.previous_until > ${now} THEN ARRAY[k.digest, k.previous_digest] ELSE ARRAY[k.digest] END AS digests, (
        SELECT b.id FROM billing_account b WHERE b.corporation_id = k.corporation_id AND (b.id = u.billing_account_id OR b.enabled)
        ORDER BY (b.id = u.billing_account_id) IS TRUE DESC, b.id LIMIT 1) AS account,
        coalesce((SELECT m.content_visible FROM user_account m WHERE m.id = k.created_by), true) AS maker_reads,
        coalesce((SELECT m.numbers_visible FROM user_account m WHERE m.id = k.created_by), true) AS maker_reads_numbers
      FROM api_key k JOIN user_account u ON u.id = k.user_id AND u.corporation_id = k.corporation_id
        JOIN corporation c ON c.id = k.corporation_id LEFT JOIN service_account s ON s.id = k.service_account_id
      WHERE k.revoked_at IS NULL AND ${which}`.execute(this.#intakeDb);
    const row = rows.find(
      ({ digests }) => token === undefined || digests.some((each) => knowsToken(token, this.#installationKey(), each)),
    );
    const refusal = row ? refusalOf(row) : null;
    const caller = row && !refusal ? await loadCaller(this.#authDb, row.user_id) : null;
    if (!row || !caller) return { holder: null, refusal, allows: () => false };
    const { corporation_id, user_id, account } = row;
    const holder: KeyHolder = {
      key_id: row.id,
      scopes: new Set(row.scopes),
      doors: new Set(row.doors),
      is_test: row.mode === 'test',
      // A reseller's key acts only for its own corporation. The person who made the key knows it: it reads no text
      // and no number that they may not read.
      caller: {
        ...caller,
        ...(row.service && { permissions: new Set(row.scopes.flatMap((scope) => PERMISSIONS_OF_SCOPES[scope])) }),
        content_visible: caller.content_visible && row.maker_reads,
        numbers_visible: caller.numbers_visible && row.maker_reads_numbers,
        corporations: [corporation_id],
      },
      program:
        account === null
          ? null
          : {
              corporation_id,
              department_id: caller.department_id,
              user_id,
              read_national: row.read_national,
              billing_account_id: account,
              api_key_id: row.id,
              smpp_system_id: null,
              is_test: row.mode === 'test',
            },
    };
    return { holder, refusal, allows: allowedBy(row.allowed_ips) };
  }

  #used(id: number, address: string): void {
    const now = performance.now();
    if (now - (this.#toldAt.get(id) ?? Number.NEGATIVE_INFINITY) < TOLD_EVERY_MS) return;
    this.#toldAt.set(id, now);
    const telling = sql`
      UPDATE api_key SET last_used_at = ${this.#clock.now().toISOString()}, last_used_ip = ${address} WHERE id = ${id}`
      .execute(this.#intakeDb)
      .catch(() => this.#toldAt.delete(id))
      .finally(() => this.#telling.delete(telling));
    this.#telling.add(telling);
  }

  /** Resolves once the last uses are stored. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#telling);
  }
}
