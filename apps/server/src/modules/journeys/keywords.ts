import { type JourneyTrigger, journeyTrigger } from '@heliograph/contract/journeys/journey-definition';
import { type Kysely, sql } from 'kysely';
import { type AliasOf, numberOf, optWordOf, readAliases, takeText } from '#modules/inbound-routing';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { fieldError } from '#platform/errors';
import { letIn } from './let-in.ts';

type KeywordTrigger = Extract<JourneyTrigger, { on: 'keyword' }>;

/** Text of a phone to a number of a corporation. */
export interface Heard {
  corporation_id: number;
  /** Number of the phone; digits. */
  phone: string;
  /** Number that the phone wrote to, as routings store it. */
  number: string;
  text: string;
  link_id: number;
}

/**
 * Lets people enter, in the caller's transaction, whose text begins with a keyword of a journey that runs, or with an
 * alias of one. Texts of test links let nobody enter.
 */
export async function enterByKeyword(db: Kysely<Database>, texts: readonly Heard[], now: Date): Promise<void> {
  if (texts.length === 0) return;
  const corporations = [...new Set(texts.map(({ corporation_id }) => corporation_id))];
  const { rows } = await sql<{ id: number; corporation_id: number; trigger: unknown }>`
    SELECT j.id, j.corporation_id, v.definition -> 'trigger' AS trigger
    FROM journey j JOIN journey_version v ON v.id = j.version_id
    WHERE j.corporation_id = ANY (${corporations}::bigint[]) AND j.state = 'running'
      AND v.definition -> 'trigger' ->> 'on' = 'keyword' ORDER BY j.id`.execute(db);
  if (rows.length === 0) return;
  const aliasOf = await readAliases(db, corporations);
  const tests = await sql<{ id: number }>`SELECT id FROM link WHERE for_tests
    AND id = ANY (${[...new Set(texts.map(({ link_id }) => link_id))]}::bigint[])`.execute(db);
  const testing = new Set(tests.rows.map(({ id }) => id));
  for (const { id, corporation_id, trigger } of rows) {
    const known = journeyTrigger.safeParse(trigger);
    if (!known.success || known.data.on !== 'keyword') continue;
    const wanted = known.data;
    const phones = texts
      .filter((each) => each.corporation_id === corporation_id && !testing.has(each.link_id))
      .filter((each) => hears(wanted, each, aliasOf))
      .map(({ phone }) => phone);
    await letIn(db, id, [...new Set(phones)].sort(), now);
  }
}

function hears({ keywords, number }: KeywordTrigger, heard: Heard, aliasOf: AliasOf): boolean {
  if (number !== null && numberOf(number) !== heard.number) return false;
  return takeText(rulesOf(heard.corporation_id, keywords), heard.text, aliasOf) !== null;
}

/** Returns keywords as rules of a number of the corporation. */
const rulesOf = (corporation_id: number, keywords: readonly string[]) =>
  keywords.map((keyword, id) => ({
    ...{ id, corporation_id, keyword, holds: true, valid_replies: [] },
    ...{ valid_reply_message: null, invalid_reply_message: null },
  }));

/**
 * Throws a 422 if a keyword opts people out or in, or has signs around it, because such a text lets nobody enter. Throws
 * one if the corporation does not have the number.
 */
export async function requireHeard(
  { db }: Context,
  corporationId: number,
  { keywords, number }: KeywordTrigger,
): Promise<void> {
  for (const [at, keyword] of keywords.entries()) {
    const field = `definition.trigger.keywords.${at}`;
    if (optWordOf(keyword)) throw fieldError(field, 'journey_opt_word', { keyword });
    if (takeText(rulesOf(corporationId, [keyword]), keyword, () => undefined) === null)
      throw fieldError(field, 'journey_keyword_signs');
  }
  if (number === null) return;
  const { rows } = await sql`
    SELECT FROM routing WHERE corporation_id = ${corporationId} AND upper(number) = ${numberOf(number)} AND NOT withheld
    UNION ALL
    SELECT FROM sender_id WHERE corporation_id = ${corporationId} AND upper(sender_id) = ${numberOf(number)}`.execute(
    db,
  );
  if (rows.length === 0) throw fieldError('definition.trigger.number', 'journey_lacks_number');
}
