import { rowsOf } from '#platform/database/queryable';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { numberDigest } from '#platform/person/number-digest';
import { firstKept, type OwnRule } from './kept-days.ts';

/** Short links that are changed in one transaction. */
const AT_ONCE = 500;

/**
 * Replaces the numbers of old short links and their clicks. A campaign counts recipients who followed a link, so each gets
 * a name of their own within the campaign: a keyed hash. All corporations are done in one walk: no index finds their links.
 */
export async function forgetLinks(
  { database, clock }: Pick<WorkerContext, 'database' | 'clock'>,
  rules: readonly Pick<OwnRule, 'corporation_id' | 'number_days'>[],
  signal: AbortSignal,
): Promise<void> {
  const own = rules.filter(({ number_days }) => number_days !== null);
  if (own.length === 0) return;
  const corporations = own.map(({ corporation_id }) => corporation_id);
  const days = own.map(({ number_days }) => firstKept(clock.now(), number_days!));
  for (let last = '', some = true; some; ) {
    signal.throwIfAborted();
    const links = await rowsOf<{ code: string; campaign_id: number | null; msisdn: string }>(
      database,
      `SELECT s.code, s.campaign_id, s.msisdn FROM short_link s JOIN unnest($1::bigint[], $2::date[]) AS r(corporation, day)
         ON r.corporation = s.corporation_id
       WHERE s.code > $3 AND s.created_at < (r.day::timestamp AT TIME ZONE 'UTC') AND s.msisdn ~ '^[0-9]'
       ORDER BY s.code LIMIT ${AT_ONCE}`,
      [corporations, days, last],
    );
    some = links.length > 0;
    last = links.at(-1)?.code ?? last;
    const codes = links.map(({ code }) => code);
    const names = links.map(({ campaign_id, msisdn }) => `removed-${numberDigest(`${campaign_id} ${msisdn}`)}`);
    await rowsOf(
      database,
      `WITH new AS (SELECT * FROM unnest($1::text[], $2::text[]) AS n(code, name)),
         clicked AS (UPDATE short_link_click c SET msisdn = new.name FROM new WHERE c.code = new.code)
       UPDATE short_link s SET msisdn = new.name FROM new WHERE s.code = new.code`,
      [codes, names],
    );
  }
}
