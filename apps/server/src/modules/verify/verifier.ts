import type { startVerification } from '@heliograph/contract/api/verification';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { addEvents } from '#modules/events';
import type { Accepted, Intake, Outcome, Program, Unit } from '#modules/intake';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { expiryOf, type Start, VerifyBeside } from './beside.ts';
import { Codes } from './codes.ts';
import { endOf } from './end-expired.ts';
import { type Found, findVerification, isExpired, type OnWire, type Owner, onWire, resendAt } from './find.ts';
import { Added, countedOf } from './guard-counts.ts';
import { GuardKeys } from './guard-keys.ts';
import { ServiceReader } from './service-reader.ts';
import { messageOf } from './texts.ts';

type Body = z.output<NonNullable<(typeof startVerification)['body']>>;

interface Keys {
  codes: Codes;
  guard: GuardKeys;
  beside: VerifyBeside;
}

/** Starts verifications, and checks the codes that people enter. */
export class Verifier {
  readonly #intake: Intake;
  readonly #clock: Clock;
  readonly #services: ServiceReader;
  readonly #installationKey: () => Buffer;
  #made: Keys | undefined;

  /** `db` has sessions of the role `intake`. */
  constructor(db: Kysely<Database>, intake: Intake, clock: Clock, installationKey: () => Buffer) {
    this.#intake = intake;
    this.#clock = clock;
    this.#installationKey = installationKey;
    this.#services = new ServiceReader(db);
  }

  /** The key of the installation is read at the first call. */
  get #keys(): Keys {
    if (!this.#made) {
      const key = this.#installationKey();
      const codes = new Codes(key);
      const guard = new GuardKeys(key);
      this.#made = { codes, guard, beside: new VerifyBeside(codes, guard) };
    }
    return this.#made;
  }

  /** Starts a verification, and sends its code. The outcome has the answer, from now or from the first call with its key. */
  async start(program: Program, body: Body, idempotency: Pick<Unit, 'idempotency'>): Promise<Outcome> {
    const { codes, beside } = this.#keys;
    const service = await this.#services.service(program.corporation_id, Number(body.service));
    const language = body.language ?? service.language;
    const seed = codes.newSeed();
    const code = codes.codeOf(seed, service.code_length);
    const start: Start = {
      service,
      language,
      seed,
      code,
      client_ref: body.client_ref ?? null,
      client_ip: body.client_ip ?? null,
      device: body.device ?? null,
      id: 0,
      now: this.#clock.now(),
      decision: 'allowed',
      signals: [],
      priced: null,
      counted: null,
    };
    const unit: Unit = {
      program,
      submissions: [
        {
          from: service.senders[0]!,
          to: body.to,
          ...messageOf(service, language, code),
          class: 'otp',
          validity_minutes: service.minutes,
          as_is: true,
          tells: true,
        },
      ],
      beside,
      ...idempotency,
      answer({ results: [result] }) {
        if (!result || result instanceof BusinessError) return null;
        return { status: 202, body: JSON.stringify(started(program, start, result)) };
      },
    };
    return this.#intake.submit(beside.starts(unit, start));
  }

  /**
   * Compares a code and counts the try in one statement, which locks the row: two checks at the same time never have one try
   * more. Throws `not_found`, and `verification_over` if it has ended before.
   */
  async check(db: Kysely<Database>, owner: Owner, id: number, code: string): Promise<OnWire> {
    const now = this.#clock.now();
    const digest = this.#keys.codes.digestOf(id, code.replace(/[\s\p{Pd}]/gu, ''));
    const ends = sql`(v.code_mac = ${digest} OR v.checks + 1 >= v.most_checks)`;
    const { numAffectedRows } = await sql`
      UPDATE verification v SET checks = v.checks + 1,
        state = CASE WHEN v.code_mac = ${digest} THEN 'approved' WHEN ${ends} THEN 'failed' ELSE v.state END,
        done_at = CASE WHEN ${ends} THEN ${now.toISOString()}::timestamptz END,
        seed = CASE WHEN NOT ${ends} THEN v.seed END, code_mac = CASE WHEN NOT ${ends} THEN v.code_mac END
      WHERE v.id = ${id} AND v.state = 'pending' AND v.expires_at > ${now.toISOString()} AND ${mine(owner)}`.execute(
      db,
    );
    const row = await findVerification(db, owner, id);
    if (numAffectedRows !== 1n && !isExpired(row, now)) throw over(row.state);
    if (numAffectedRows === 1n && row.state === 'approved') await this.#countApproval(db, row, now);
    if (numAffectedRows === 1n && row.state !== 'pending') await addEvents(db, [endOf(row, row.state)]);
    return onWire(row, now);
  }

  /** Counts an approval where its start was counted, so that people who enter their codes are no false traffic. */
  async #countApproval(db: Kysely<Database>, row: Found, now: Date): Promise<void> {
    const service = await this.#services.service(row.corporation_id, row.service_id);
    if (service.guard === 'off' || row.is_test) return;
    const { number, client_ip, device } = row;
    const added = new Added(new Date(row.created_at));
    const counted = countedOf(this.#keys.guard, service, { number, client_ip, device });
    added.add(counted, { starts: 0, approved: 1 });
    await added.write(db, now);
  }

  /** Ends a verification. Throws `not_found` and `verification_over`. */
  async cancel(db: Kysely<Database>, owner: Owner, id: number): Promise<OnWire> {
    const now = this.#clock.now();
    const { numAffectedRows } = await sql`
      UPDATE verification v SET state = 'cancelled', done_at = ${now.toISOString()}, seed = NULL, code_mac = NULL
      WHERE v.id = ${id} AND v.state = 'pending' AND v.expires_at > ${now.toISOString()} AND ${mine(owner)}`.execute(
      db,
    );
    const row = await findVerification(db, owner, id);
    if (numAffectedRows !== 1n) throw over(isExpired(row, now) ? 'expired' : row.state);
    return onWire(row, now);
  }

  /** Returns a verification. Throws `not_found`. */
  async get(db: Kysely<Database>, owner: Owner, id: number): Promise<OnWire> {
    return onWire(await findVerification(db, owner, id), this.#clock.now());
  }

  /**
   * Sends the code of a verification, as `findVerification` has read it, once more. Throws `verification_over`,
   * `verification_resends_used`, `verification_resend_soon`, and the errors of a message.
   */
  async resend(program: Program, row: Found): Promise<void> {
    const { codes, beside } = this.#keys;
    const now = this.#clock.now();
    const expired = isExpired(row, now);
    if (row.state !== 'pending' || expired) throw over(expired ? 'expired' : row.state);
    if (row.sends >= row.most_sends) throw new BusinessError('verification_resends_used');
    const wait = Date.parse(resendAt(row) ?? row.expires_at) - now.getTime();
    if (wait > 0) throw new BusinessError('verification_resend_soon', { retryAfter: Math.ceil(wait / 1_000) });
    const service = await this.#services.service(program.corporation_id, row.service_id);
    const minutes = Math.max(1, Math.ceil((Date.parse(row.expires_at) - now.getTime()) / 60_000));
    const code = codes.codeOf(row.seed!, row.code_length);
    const unit: Unit = {
      program,
      submissions: [
        {
          from: service.senders[Math.min(row.sends, service.senders.length - 1)]!,
          to: row.number,
          ...messageOf({ ...service, minutes }, row.language, code),
          class: 'otp',
          validity_minutes: minutes,
          as_is: true,
          tells: true,
        },
      ],
      beside,
    };
    const { results } = await this.#intake.submit(beside.resends(unit, { id: row.id, sent_before: null }));
    const [result] = results;
    if (result instanceof BusinessError) throw result;
  }
}

const mine = ({ corporation_id, is_test }: Owner) =>
  sql`v.corporation_id = ${corporation_id} AND v.is_test = ${is_test}`;

const over = (status: string) => new BusinessError('verification_over', { params: { status } });

/** Returns a verification as its start answers it. */
function started(program: Program, start: Start, message: Accepted): OnWire {
  const { service, now } = start;
  const resend_at = new Date(now.getTime() + service.resend_pause * 1_000);
  const expires_at = expiryOf(start);
  return {
    id: String(start.id),
    service: String(service.id),
    to: message.msisdn,
    status: 'pending',
    language: start.language,
    attempts_left: service.tries,
    resends_left: service.resends,
    resend_at: service.resends > 0 && resend_at < expires_at ? resend_at.toISOString() : null,
    messages: [{ id: String(message.id), state: 'pending', error_code: null }],
    parts: message.parts,
    price: fromThousandths(message.price),
    currency: message.currency,
    client_ref: start.client_ref,
    created_at: now.toISOString(),
    expires_at: expires_at.toISOString(),
    done_at: null,
    test: program.is_test,
  };
}
