import { callingCodeAt, callingCodePlace, regionOf } from '@heliograph/contract/kernel/calling-codes';
import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import type { Locale } from '@heliograph/contract/kernel/scope';
import type { GuardDecision, GuardSignal } from '@heliograph/contract/verify/verification';
import type { Beside, BesideWork, Outcome, Priced, Unit } from '#modules/intake';
import { numberArray } from '#platform/database/array-literal';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import type { Codes } from './codes.ts';
import { judgeStart, type Known } from './guard.ts';
import { Added, type Counted, countedOf, readKnown } from './guard-counts.ts';
import type { GuardKeys } from './guard-keys.ts';
import type { Service } from './service-reader.ts';

/** Start of a verification on its way through the intake. */
export interface Start {
  service: Service;
  language: Locale;
  seed: Buffer;
  code: string;
  client_ref: string | null;
  client_ip: string | null;
  device: string | null;
  /** Id that was drawn in the present transaction. */
  id: number;
  now: Date;
  decision: GuardDecision;
  signals: GuardSignal[];
  priced: Priced | null;
  /** Person that the guard counts; null without a guard, or if the number cannot be read. */
  counted: Counted | null;
}

/** Resend of a verification, with its time of sending before. */
export interface Resend {
  id: number;
  sent_before: string | null;
}

const IDS = `SELECT nextval('verification_id_seq') AS id FROM generate_series(1, $1::integer)`;

// The rows stay locked until the transaction ends, so two resends never send twice within the pause.
const CLAIM = `
  UPDATE verification v SET sends = v.sends + 1, last_sent_at = $2::timestamptz
  FROM (SELECT id, last_sent_at FROM verification WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE) before
  WHERE v.id = before.id AND v.state = 'pending' AND v.expires_at > $2::timestamptz AND v.sends < v.most_sends
    AND before.last_sent_at + v.resend_pause * interval '1 second' <= $2::timestamptz
  RETURNING v.id, before.last_sent_at AS sent_before`;

const GIVE_BACK = `
  UPDATE verification v SET sends = v.sends - 1, last_sent_at = b.sent_before
  FROM jsonb_to_recordset($1::jsonb) AS b(id bigint, sent_before timestamptz) WHERE v.id = b.id`;

const RESENT = `
  UPDATE verification v SET message_ids = v.message_ids || s.message_id, parts = v.parts + s.parts, price = v.price + s.price
  FROM jsonb_to_recordset($1::jsonb) AS s(id bigint, message_id bigint, parts integer, price bigint) WHERE v.id = s.id`;

const INSERT = `
  INSERT INTO verification (id, corporation_id, service_id, is_test, number, language, state, seed, code_mac, code_length, most_checks,
    sends, most_sends, resend_pause, message_ids, parts, price, saved, client_ref, client_ip, device, decision, signals, created_at,
    last_sent_at, expires_at, done_at)
  OVERRIDING SYSTEM VALUE
  SELECT id, corporation_id, service_id, is_test, number, language, state, decode(seed, 'hex'), decode(code_mac, 'hex'), code_length,
    most_checks, 1, most_sends, resend_pause, message_ids, parts, price, saved, client_ref, client_ip, device, decision, signals,
    created_at, created_at, expires_at, done_at
  FROM jsonb_to_recordset($1::jsonb) AS v(id bigint, corporation_id bigint, service_id bigint, is_test boolean, number text, language text,
    state text, seed text, code_mac text, code_length smallint, most_checks smallint, most_sends smallint, resend_pause smallint,
    message_ids bigint[], parts integer, price bigint, saved bigint, client_ref text, client_ip text, device text, decision text,
    signals jsonb, created_at timestamptz, expires_at timestamptz, done_at timestamptz)`;

/** Returns the country whose calling code a number has, such as `PH`; undefined for none. */
export const countryOf = (msisdn: string): string | undefined => regionOf(callingCodeAt(callingCodePlace(msisdn)));

/** Writes verifications in the transactions of their messages. */
export class VerifyBeside implements Beside {
  readonly #codes: Codes;
  readonly #guardKeys: GuardKeys;
  readonly #starts = new WeakMap<Unit, Start>();
  readonly #resends = new WeakMap<Unit, Resend>();

  constructor(codes: Codes, guardKeys: GuardKeys) {
    this.#codes = codes;
    this.#guardKeys = guardKeys;
  }

  /** Makes a unit one that starts a verification. */
  starts(unit: Unit, start: Start): Unit {
    this.#starts.set(unit, start);
    return unit;
  }

  /** Makes a unit one that resends a code. */
  resends(unit: Unit, resend: Resend): Unit {
    this.#resends.set(unit, resend);
    return unit;
  }

  async begin(
    sent: Queryable,
    units: readonly Unit[],
    { now, numbers }: Parameters<Beside['begin']>[2],
  ): Promise<BesideWork> {
    const starting = units.flatMap((unit) => {
      const start = this.#starts.get(unit);
      return start ? [{ unit, start }] : [];
    });
    const resending = units.flatMap((unit) => this.#resends.get(unit) ?? []);
    for (const { unit, start } of starting) {
      const { program, submissions } = unit;
      const rules = program.read_national ? numbers : { ...numbers, national: null };
      const { msisdn } = checkNumber(submissions[0]!.to, rules);
      const { service, client_ip, device } = start;
      const person =
        msisdn !== undefined && service.guard !== 'off' && !program.is_test
          ? { number: msisdn, client_ip, device }
          : null;
      const counted = person && countedOf(this.#guardKeys, service, person);
      Object.assign(start, { now, decision: 'allowed', signals: [], priced: null, counted });
    }
    const watched = starting.flatMap(({ start }) => start.counted ?? []);
    const [ids, knownOf, claimed] = await Promise.all([
      starting.length === 0 ? [] : rowsOf<{ id: number }>(sent, IDS, [starting.length]),
      watched.length === 0 ? null : readKnown(sent, watched, now),
      resending.length === 0
        ? []
        : rowsOf<{ id: number; sent_before: string }>(sent, CLAIM, [
            numberArray(resending.map(({ id }) => id)),
            now.toISOString(),
          ]),
    ]);
    for (const [place, { start }] of starting.entries()) start.id = ids[place]!.id;
    const before = new Map(claimed.map(({ id, sent_before }) => [id, sent_before]));
    for (const resend of resending) {
      resend.sent_before = before.get(resend.id) ?? null;
      // The first of two resends in one transaction has the claim.
      before.delete(resend.id);
    }
    const added = new Added(now);
    return {
      refusalOf: (unit, priced) =>
        this.#refusalOf(unit, priced, (counted) => {
          const known = knownOf!(counted, added);
          added.add(counted, { starts: 1, approved: 0 });
          return known;
        }),
      write: (to, outcomes) => this.#write(to, outcomes, now),
    };
  }

  #refusalOf(unit: Unit, priced: Priced, count: (counted: Counted) => Known): BusinessError | null {
    const resend = this.#resends.get(unit);
    if (resend)
      return resend.sent_before === null ? new BusinessError('verification_resend_soon', { retryAfter: 1 }) : null;
    const start = this.#starts.get(unit)!;
    start.priced = priced;
    const { service, counted } = start;
    const country = countryOf(priced.msisdn);
    if (country === undefined || !service.countries.includes(country)) {
      start.decision = 'refused';
      start.signals = [{ signal: 'country', figure: null, limit: null, reason: country ?? null }];
    } else if (counted) {
      start.signals = judgeStart(service, count(counted));
      if (start.signals.length > 0) start.decision = service.guard === 'enforce' ? 'refused' : 'would_refuse';
    }
    return start.decision === 'refused' ? refusal(start.signals) : null;
  }

  #write(sent: Queryable, outcomes: ReadonlyMap<Unit, Outcome>, now: Date): Promise<unknown> {
    const added = new Added(now);
    const rows: object[] = [];
    const resent: object[] = [];
    const unsent: object[] = [];
    for (const [unit, { results }] of outcomes) {
      const [result] = results;
      const accepted = result instanceof BusinessError || !result ? null : result;
      const resend = this.#resends.get(unit);
      if (resend) {
        if (accepted)
          resent.push({ id: resend.id, message_id: accepted.id, parts: accepted.parts, price: accepted.price });
        else if (resend.sent_before !== null) unsent.push(resend);
        continue;
      }
      const start = this.#starts.get(unit)!;
      if (!accepted && start.decision !== 'refused') continue;
      rows.push(this.#rowOf(unit, start, accepted));
      if (start.counted) added.add(start.counted, { starts: 1, approved: 0 }, { sent: accepted !== null });
    }
    return Promise.all([
      rows.length > 0 && rowsOf(sent, INSERT, [JSON.stringify(rows)]),
      added.write(sent, now),
      resent.length > 0 && rowsOf(sent, RESENT, [JSON.stringify(resent)]),
      unsent.length > 0 && rowsOf(sent, GIVE_BACK, [JSON.stringify(unsent)]),
    ]);
  }

  #rowOf({ program }: Unit, start: Start, accepted: { id: number; parts: number; price: number } | null): object {
    const { id, service, seed, code, now, decision, signals, language, client_ref, client_ip, device } = start;
    const { msisdn, parts, unit_price } = start.priced!;
    return {
      id,
      corporation_id: program.corporation_id,
      service_id: service.id,
      is_test: program.is_test,
      number: msisdn,
      language,
      state: accepted ? 'pending' : 'refused',
      seed: accepted && seed.toString('hex'),
      code_mac: accepted && this.#codes.digestOf(id, code).toString('hex'),
      code_length: service.code_length,
      most_checks: service.tries,
      most_sends: service.resends + 1,
      resend_pause: service.resend_pause,
      message_ids: accepted ? [accepted.id] : [],
      parts: accepted?.parts ?? 0,
      price: accepted?.price ?? 0,
      saved: decision === 'allowed' ? 0 : parts * unit_price,
      client_ref,
      client_ip,
      device,
      decision,
      signals,
      created_at: now.toISOString(),
      expires_at: expiryOf(start).toISOString(),
      done_at: accepted ? null : now.toISOString(),
    };
  }
}

/** Returns the end of the validity of a code. */
export const expiryOf = ({ now, service }: Pick<Start, 'now' | 'service'>): Date =>
  new Date(now.getTime() + service.minutes * 60_000);

/** Makes the error of a refused start, which names its signals and no figure. */
function refusal(signals: readonly GuardSignal[]): BusinessError {
  const [first] = signals;
  if (first?.signal === 'country')
    return new BusinessError('verification_refused', {
      params: { signal: first.signal },
      fields: { to: [{ key: 'verification_country' }] },
    });
  return new BusinessError('verification_refused', { params: { signal: first?.signal ?? '' } });
}
