import type { Kysely } from 'kysely';
import { suppressedAmong } from '#modules/campaigns';
import { consentedAmong } from '#modules/policy';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import { freeReferences, refusedReferences } from './client-refs.ts';
import { beyondCredit, openLimits } from './credit.ts';
import { handedInBefore } from './hand-in-once.ts';
import { keepAnswers, takeKeys } from './idempotency.ts';
import { type Judged, judge } from './judge.ts';
import type { OperatorRules } from './operator-rules.ts';
import type { Accepted, Estimated, Outcome, Program, Submission, Unit } from './program.ts';
import { insertBatches, insertProgramMessages, nextBatchIds } from './program-rows.ts';
import { type Facts, factsKey, readFacts } from './read-facts.ts';
import { writeChunks } from './write-chunks.ts';

/** Submission on its way through one transaction. */
export interface Entry {
  program: Program;
  judged: Judged;
  /** Batch of the submission; null if it came without one. */
  batch_id: number | null;
}

/** Result of a submission at the current step. */
type Fate = BusinessError | Entry;
type Refused = ReadonlyMap<Entry, BusinessError>;

/**
 * Judges and writes units in the caller's transaction. Refused messages leave no trace; accepted ones are stored with
 * the commit. Idempotency keys, references and accounts are locked in this order, and each kind in a fixed order. For
 * this reason two transactions never wait for each other in a circle.
 */
export async function writeUnits(
  db: Kysely<Database>,
  units: readonly Unit[],
  rules: OperatorRules,
  now: Date,
): Promise<(Outcome | BusinessError)[]> {
  const taken = await takeKeys(db, units, now);
  const open = units.filter((unit) => !taken.has(unit));
  const facts = await readFacts(db, open, now);
  const batchIds = await nextBatchIds(db, open);
  const before = await handedInBefore(db, open);
  const fates = new Map<Unit, Fate[]>();
  for (const unit of open) {
    const batch_id = batchIds.get(unit) ?? null;
    fates.set(
      unit,
      unit.submissions.map((each) => before.get(each) ?? fateOf(each, unit, batch_id, facts, rules, now)),
    );
  }
  refuse(fates, await suppressions(db, entriesOf(fates)));
  refuse(fates, await lackingConsent(db, entriesOf(fates), rules));
  refuse(fates, await refusedReferences(db, entriesOf(fates)));
  const limits = await openLimits(db, entriesOf(fates), rules, now);
  const unpaid = await beyondCredit(db, entriesOf(fates), limits);
  await limits?.write();
  refuse(fates, unpaid);
  await freeReferences(db, [...unpaid.keys()]);
  const entries = entriesOf(fates);
  const accepted = await writeChunks(db, entries);
  await insertProgramMessages(db, entries, accepted);
  const outcomes = new Map(open.map((unit) => [unit, outcomeOf(unit, fates.get(unit)!, accepted, batchIds)]));
  await insertBatches(db, outcomes);
  await keepAnswers(db, outcomes, now);
  return units.map((unit) => taken.get(unit) ?? outcomes.get(unit)!);
}

const isEntry = (fate: Fate): fate is Entry => !(fate instanceof BusinessError);
const entriesOf = (fates: ReadonlyMap<Unit, readonly Fate[]>): Entry[] => [...fates.values()].flat().filter(isEntry);

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

/** Replaces refused entries by the errors that refuse them. */
function refuse(fates: ReadonlyMap<Unit, Fate[]>, refused: Refused): void {
  if (refused.size === 0) return;
  for (const list of fates.values())
    for (const [place, fate] of list.entries()) {
      const error = isEntry(fate) ? refused.get(fate) : undefined;
      if (error) list[place] = error;
    }
}

async function suppressions(db: Kysely<Database>, entries: readonly Entry[]): Promise<Refused> {
  const asked = entries.map(({ program, judged }) => ({
    corporation_id: program.corporation_id,
    sender_id_id: judged.sender_id_id,
    number: judged.msisdn,
    channel: program.smpp_system_id === null ? ('api' as const) : ('smpp' as const),
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

/** Refuses commercial messages to people who did not opt in, where the corporation requires it. */
async function lackingConsent(db: Kysely<Database>, entries: readonly Entry[], rules: OperatorRules): Promise<Refused> {
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
  db: Kysely<Database>,
  program: Program,
  submissions: readonly Submission[],
  rules: OperatorRules,
  now: Date,
): Promise<{ results: (Estimated | BusinessError)[]; currency: string }> {
  const unit: Unit = { program, submissions };
  const facts = await readFacts(db, [unit], now);
  const fates = new Map([[unit, submissions.map((each) => fateOf(each, unit, null, facts, rules, now))]]);
  refuse(fates, await suppressions(db, entriesOf(fates)));
  refuse(fates, await lackingConsent(db, entriesOf(fates), rules));
  const results = fates.get(unit)!.map((fate) => {
    if (!isEntry(fate)) return fate;
    const { msisdn, parts, unit_price, text, unicode } = fate.judged;
    return { msisdn, parts, price: parts * unit_price, text, unicode };
  });
  return { results, currency: facts.get(factsKey(program))!.currency };
}
