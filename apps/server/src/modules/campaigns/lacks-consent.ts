import type { Kysely } from 'kysely';
import { type ConsentRule, consentedAmong } from '#modules/policy';
import type { Database } from '#platform/database/db';
import type { Candidate } from './audience-source.ts';
import type { AudiencePlan } from './expand-audience.ts';

/** Finds the numbers of a batch that need an opt-in and have none. Numbers of a list have no line. */
export async function lacksConsent(
  db: Kysely<Database>,
  { corporation_id, sender_id_id }: AudiencePlan,
  { everybody, lists }: ConsentRule,
  fresh: readonly Candidate[],
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = numbers.flatMap((number, place) => {
    const { line, source } = fresh[place]!;
    return everybody || (line === null && lists.has(source)) ? [{ corporation_id, sender_id_id, number }] : [];
  });
  const consented = await consentedAmong(db, asked);
  return new Set(asked.flatMap(({ number }, place) => (consented[place] ? [] : [number])));
}
