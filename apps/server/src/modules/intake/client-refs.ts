import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { Entry } from './write-units.ts';

const refOf = ({ program, judged }: Entry): string => `${program.api_key_id} ${judged.submission.client_ref}`;

const asking = (entries: readonly Entry[]): Entry[] =>
  entries.filter(
    ({ program, judged: { submission } }) => submission.unique_ref && submission.client_ref && program.api_key_id,
  );

/**
 * Claims the references that must be unique for their API key. Entries with a reference of another message are refused.
 */
export async function refusedReferences(
  db: Kysely<Database>,
  entries: readonly Entry[],
): Promise<Map<Entry, BusinessError>> {
  const refused = new Map<Entry, BusinessError>();
  const asked = asking(entries);
  if (asked.length === 0) return refused;
  const { rows } = await sql<{ api_key_id: number; client_ref: string }>`
    INSERT INTO client_ref_claim (corporation_id, api_key_id, client_ref)
    SELECT DISTINCT ON (key, ref) * FROM unnest(${asked.map(({ program }) => program.corporation_id)}::bigint[],
      ${asked.map(({ program }) => program.api_key_id)}::bigint[],
      ${asked.map(({ judged }) => judged.submission.client_ref)}::text[]) AS w(corporation, key, ref)
    ORDER BY key, ref ON CONFLICT DO NOTHING RETURNING api_key_id, client_ref`.execute(db);
  const claimed = new Set(rows.map(({ api_key_id, client_ref }) => `${api_key_id} ${client_ref}`));
  // If several entries of this transaction share a reference, the first one gets it.
  for (const entry of asked)
    if (!claimed.delete(refOf(entry)))
      refused.set(
        entry,
        new BusinessError('client_ref_taken', { fields: { client_ref: [{ key: 'client_ref_taken' }] } }),
      );
  return refused;
}

/** Releases the claims of messages that are not accepted after all. */
export async function freeReferences(db: Kysely<Database>, entries: readonly Entry[]): Promise<void> {
  const asked = asking(entries);
  if (asked.length === 0) return;
  await sql`
    DELETE FROM client_ref_claim c USING unnest(${asked.map(({ program }) => program.api_key_id)}::bigint[],
      ${asked.map(({ judged }) => judged.submission.client_ref)}::text[]) AS w(key, ref)
    WHERE c.api_key_id = w.key AND c.client_ref = w.ref`.execute(db);
}
