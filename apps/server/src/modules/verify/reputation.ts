import {
  type getReputation,
  MOST_REPUTATION_LINES,
  type setReputation,
} from '@heliograph/contract/verify/guard-report';
import { type Kysely, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import { reputationValue } from './guard-keys.ts';

const MOST_REASON = 100;

async function find(
  db: Kysely<Database>,
  id: number,
  lock: boolean,
): Promise<{ corporation_id: number; name: string; lines: number }> {
  const { rows } = await sql<{ corporation_id: number; name: string; lines: number }>`
    SELECT corporation_id, name, reputation_lines AS lines FROM verify_service WHERE id = ${id} ${lock ? sql`FOR UPDATE` : sql``}`.execute(
    db,
  );
  if (!rows[0]) throw new BusinessError('not_found');
  return rows[0];
}

/** Returns the values of a list with their reasons. Throws on `lines` with the number of the first line that cannot be read. */
function readLines(text: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const [place, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const comma = line.indexOf(',');
    const written = (comma < 0 ? line : line.slice(0, comma)).trim().replace(/^"|"$/g, '');
    const reason =
      comma < 0
        ? ''
        : line
            .slice(comma + 1)
            .trim()
            .replace(/^"|"$/g, '');
    const value = reputationValue(written);
    if (value === undefined) throw fieldError('lines', 'verify_line_value', { line: place + 1 });
    if (reason === '' || reason.length > MOST_REASON || /\p{Cc}/u.test(reason))
      throw fieldError('lines', 'verify_line_reason', { line: place + 1, count: MOST_REASON });
    entries.set(value, reason);
  }
  if (entries.size > MOST_REPUTATION_LINES)
    throw fieldError('lines', 'verify_lines_many', { count: MOST_REPUTATION_LINES });
  return entries;
}

/** Replaces the reputation list of a service. */
export const replaceReputation: Handler<typeof setReputation> = async (ctx, { params, body }) => {
  const { corporation_id, lines: before } = await find(ctx.db, params.id, true);
  const entries = readLines(body.lines);
  await sql`DELETE FROM verify_reputation WHERE service_id = ${params.id}`.execute(ctx.db);
  await sql`
    INSERT INTO verify_reputation (service_id, corporation_id, value, reason)
    SELECT ${params.id}::bigint, ${corporation_id}::bigint, value, reason
    FROM unnest(${[...entries.keys()]}::text[], ${[...entries.values()]}::text[]) AS e(value, reason)`.execute(ctx.db);
  await sql`UPDATE verify_service SET reputation_lines = ${entries.size} WHERE id = ${params.id}`.execute(ctx.db);
  await audit(ctx, {
    name: 'verify-services',
    description: 'updated',
    subject_type: 'verify-services',
    subject_id: params.id,
    before: { reputation_lines: before },
    after: { reputation_lines: entries.size },
    corporation_id,
  });
  return { message: translate(ctx.locale, 'verify_services.list_saved', { count: entries.size }) };
};

/** Returns the reputation list of a service. */
export const showReputation: Handler<typeof getReputation> = async ({ db }, { params }) => {
  await find(db, params.id, false);
  const { rows } = await sql<{ value: string; reason: string }>`
    SELECT value, reason FROM verify_reputation WHERE service_id = ${params.id} ORDER BY value`.execute(db);
  return { data: { lines: rows.map(({ value, reason }) => `${value},${reason}\n`).join('') } };
};
