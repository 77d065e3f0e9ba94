import type pg from 'pg';
import { suppressedAmong } from '#modules/campaigns';
import { together } from '#modules/delivery';
import { holdForDecision } from '#modules/moderation';
import { deadAmong } from '#modules/networks';
import { consentedAmong } from '#modules/policy';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { BusinessError, fieldError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import { type Besides, beginBesides, writeBesides } from './beside.ts';
import { freeReferences, refusedReferences } from './client-refs.ts';
import { beyondCredit, openLimits, payersOf, takeFunds } from './credit.ts';
import { handedInBefore } from './hand-in-once.ts';
import { keepAnswers, takeKeys } from './idempotency.ts';
import { type Judged, judge } from './judge.ts';
import type { NotedNumbers } from './noted-numbers.ts';
import type { OperatorRules } from './operator-rules.ts';
import type { Accepted, Estimated, Outcome, Program, Submission, Unit } from './program.ts';
import { insertBatches, insertProgramMessages, nextBatchIds } from './program-rows.ts';
import { type Facts, factsKey, type InstallationKey, readAccounts, readFacts } from './read-facts.ts';
import type { IntakeSession } from './session.ts';
import { countTests } from './tests-of-day.ts';
import { drawChunkIds, groupEntries, planChunks } from './write-chunks.ts';

/** Submission on its way through one transaction. */
export interface Entry {
  program: Program;
  judged: Judged;
  /** Batch of the submission; null if it came without one. */
  batch_id: number | null;
}

/** Everything that a transaction judges and writes by. */
export interface Writing {
  rules: OperatorRules;
  now: Date;
  /** True if the accounts are locked before the messages that they can pay are chosen. */
  locked: boolean;
  noted: NotedNumbers;
  installationKey: InstallationKey;
  /** Writes more in the same transaction. If it throws, nothing is written. */
  settle?: ((outcomes: readonly (Outcome | BusinessError)[]) => Promise<void>) | undefined;
  /** Sends statements right behind the COMMIT. Never rejects. */
  behind?: ((client: pg.ClientBase) => Promise<unknown> | undefined) | undefined;
}

/** Result of a submission at the current step. */
type Fate = BusinessError | Entry;
type Refused = ReadonlyMap<Entry, BusinessError>;

/**
 * Judges and writes units in a session, and commits. Refused messages leave no trace; accepted ones are stored when
 * this resolves. Idempotency keys, references, limits and accounts are locked in this order, and each kind in a fixed
 * order. For this reason two transactions never wait for each other in a circle.
 *
 * Usually three steps of statements suffice: what is known, what is about the judged messages, and everything that is
 * written with the COMMIT. The accounts are then locked only within the last one. If an account cannot pay, its
 * statement fails, nothing is written, and `cannotPay` knows the error: with `locked` the accounts are locked before the
 * messages that they can pay are chosen.
 */
export async function writeUnits(
  session: IntakeSession,
  units: readonly Unit[],
  { rules, now, locked, noted, installationKey, settle, behind }: Writing,
): Promise<(Outcome | BusinessError)[]> {
  const { sent, db } = session;
  const [taken, facts, batchIds, before, besides] = await together([
    takeKeys(sent, units, now),
    readFacts(sent, units, now, installationKey),
    nextBatchIds(sent, units),
    handedInBefore(sent, units),
    beginBesides(sent, units, { now, numbers: rules.numbers }),
    session.begun,
  ]);
  const open = units.filter((unit) => !taken.has(unit));
  const fates = new Fates(open, (submission, unit) => {
    const batch_id = batchIds.get(unit) ?? null;
    return before.get(submission) ?? fateOf(submission, unit, batch_id, facts, rules, now);
  });
  fates.refuse(refusedBeside(open, fates, besides));
  const judged = fates.entries;
  const [suppressed, dead, funds, drawn] = await together([
    suppressions(sent, judged),
    deadNumbers(sent, judged),
    readAccounts(sent, payersOf(judged)),
    drawChunkIds(sent, groupEntries(judged).length),
  ]);
  fates.refuse(suppressed);
  fates.refuse(dead);
  fates.refuse(await lackingConsent(sent, fates.entries, rules));
  fates.refuse(await refusedReferences(db, fates.entries));
  const limits = await openLimits(db, fates.entries, rules, now);
  if (locked || limits || takeFunds(fates.entries, funds, null).size > 0) {
    const unpaid = await beyondCredit(sent, fates.entries, limits);
    await limits?.write();
    fates.refuse(unpaid);
    await freeReferences(db, [...unpaid.keys()]);
  }
  const planned = await planChunks(sent, groupEntries(fates.entries), drawn);
  const outcomes = new Map(open.map((unit) => [unit, outcomeOf(unit, fates.of(unit), planned.accepted, batchIds)]));
  const all = () => units.map((unit) => taken.get(unit) ?? outcomes.get(unit)!);
  await settle?.(all());
  failpoint('intake.before-commit');
  const recorded = fates.entries.filter(({ program }) => !program.own);
  const last = [
    planned.insert(sent),
    insertProgramMessages(sent, recorded, planned.accepted),
    ...writeBesides(sent, besides, outcomes),
  ];
  if (planned.held.length > 0 || batchIds.size > 0) {
    await together(last);
    await holdForDecision(db, planned.held);
    await insertBatches(db, outcomes);
  }
  const kept = keepAnswers(sent, outcomes, now);
  await session.commit([...last, kept, planned.reserve(sent), countTests(sent, fates.entries, now)], behind);
  noted.add(fates.entries);
  return all();
}

const isEntry = (fate: Fate): fate is Entry => !(fate instanceof BusinessError);

/** Fates of the submissions of units, by unit and place. */
class Fates {
  readonly #fates = new Map<Unit, Fate[]>();
  #entries: readonly Entry[];

  constructor(units: readonly Unit[], fateOfOne: (submission: Submission, unit: Unit) => Fate) {
    for (const unit of units)
      this.#fates.set(
        unit,
        unit.submissions.map((submission) => fateOfOne(submission, unit)),
      );
    this.#entries = [...this.#fates.values()].flat().filter(isEntry);
  }

  /** Submissions that nothing has refused. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  of(unit: Unit): readonly Fate[] {
    return this.#fates.get(unit)!;
  }

  /** Replaces refused entries by the errors that refuse them. */
  refuse(refused: ReadonlyMap<Entry, BusinessError>): void {
    if (refused.size === 0) return;
    for (const list of this.#fates.values())
      for (const [place, fate] of list.entries()) {
        const error = isEntry(fate) ? refused.get(fate) : undefined;
        if (error) list[place] = error;
      }
    this.#entries = this.#entries.filter((entry) => !refused.has(entry));
  }
}

function fateOf(
  submission: Submission,
  { program, submissions }: Pick<Unit, 'program' | 'submissions'>,
  batch_id: number | null,
  facts: ReadonlyMap<string, Facts>,
  rules: OperatorRules,
  now: Date,
): Fate {
  try {
    const own = facts.get(factsKey(program))!;
    return { program, batch_id, judged: judge(submission, program, own, rules, now, submissions.length) };
  } catch (error) {
    if (error instanceof BusinessError) return error;
    throw error;
  }
}

/** Returns the refusals of the work beside units. */
function refusedBeside(units: readonly Unit[], fates: Fates, besides: Besides): Refused {
  const refused = new Map<Entry, BusinessError>();
  for (const unit of units) {
    const work = unit.beside && besides.get(unit.beside);
    const [fate] = work ? fates.of(unit) : [];
    const error = fate && isEntry(fate) && work!.refusalOf(unit, fate.judged);
    if (error) refused.set(fate as Entry, error);
  }
  return refused;
}

async function suppressions(db: Queryable, entries: readonly Entry[]): Promise<Refused> {
  const asked = entries.map(({ program, judged }) => ({
    corporation_id: program.corporation_id,
    sender_id_id: judged.sender_id_id,
    number: judged.msisdn,
    channel: program.own ? ('web' as const) : program.smpp_system_id === null ? ('api' as const) : ('smpp' as const),
  }));
  const found = await suppressedAmong(db, asked);
  const refused = new Map<Entry, BusinessError>();
  for (const [place, entry] of entries.entries()) {
    const why = found[place];
    if (why === 'opted_out') refused.set(entry, fieldError('to', 'opted_out'));
    if (why === 'blacklisted' && !entry.judged.facts.skip_blacklist)
      refused.set(entry, fieldError('to', 'number_blacklisted'));
  }
  return refused;
}

/** Refuses numbers that a lookup says nobody has, where the program asked for it. An unknown number is not looked up here. */
async function deadNumbers(db: Queryable, entries: readonly Entry[]): Promise<Refused> {
  const asked = entries.filter(
    ({ judged: { submission, facts } }) => submission.skip_dead && facts.routing.ported_by !== null,
  );
  const numbers = asked.map(({ judged: { msisdn } }) => msisdn);
  const dead = await deadAmong((text, values) => rowsOf(db, text, values), numbers);
  const refused = asked.filter(({ judged: { msisdn } }) => dead.has(msisdn));
  return new Map(refused.map((entry) => [entry, fieldError('to', 'dead_number')]));
}

/** Refuses commercial messages to people who did not opt in, where the corporation requires it. */
async function lackingConsent(db: Queryable, entries: readonly Entry[], rules: OperatorRules): Promise<Refused> {
  if (rules.consent.size === 0) return new Map();
  const strict = entries.filter(
    ({ program, judged }) => judged.commercial && rules.consent.has(program.corporation_id),
  );
  const asked = strict.map(({ program: { corporation_id }, judged: { sender_id_id, msisdn } }) => ({
    corporation_id,
    sender_id_id,
    number: msisdn,
  }));
  const consented = await consentedAmong(db, asked);
  const lacking = strict.filter((_, place) => !consented[place]);
  return new Map(lacking.map((entry) => [entry, fieldError('to', 'no_consent')]));
}

function outcomeOf(
  unit: Unit,
  fates: readonly Fate[],
  accepted: ReadonlyMap<Entry, Accepted>,
  batchIds: ReadonlyMap<Unit, number>,
): Outcome {
  const results = fates.map((fate) => (isEntry(fate) ? accepted.get(fate)! : fate));
  const written = { results, batch_id: batchIds.get(unit) ?? null };
  return { ...written, answer: unit.answer?.(written) ?? null, replayed: false };
}

/**
 * Returns the cost of messages if they were sent now. The rules are the same, except for credit and references. Writes
 * nothing.
 */
export async function estimateMessages(
  db: Queryable,
  program: Program,
  submissions: readonly Submission[],
  rules: OperatorRules,
  now: Date,
  installationKey: InstallationKey,
): Promise<{ results: (Estimated | BusinessError)[]; currency: string }> {
  const unit: Unit = { program, submissions };
  const facts = await readFacts(db, [unit], now, installationKey);
  const fates = new Fates([unit], (each) => fateOf(each, unit, null, facts, rules, now));
  fates.refuse(await suppressions(db, fates.entries));
  fates.refuse(await deadNumbers(db, fates.entries));
  fates.refuse(await lackingConsent(db, fates.entries, rules));
  const results = fates.of(unit).map((fate) => {
    if (!isEntry(fate)) return fate;
    const { msisdn, parts, unit_price, text, unicode } = fate.judged;
    return { msisdn, parts, price: parts * unit_price, text, unicode };
  });
  return { results, currency: facts.get(factsKey(program))!.currency };
}
