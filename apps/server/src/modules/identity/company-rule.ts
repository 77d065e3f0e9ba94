import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { audit } from '#platform/access/audit';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { Identity } from './session-tokens.ts';

/** Job that mails an emergency sign-in to everybody who may change the identity providers. */
export const mailEmergencyJob = defineJob('mail-emergency-sign-in', z.object({ session_id: z.uuid() }), {
  retryLimit: 5,
});

/**
 * Throws `sign_on_required` if a person's company requires its identity provider and they have no emergency access.
 * Answers whether they come in by emergency access. A provider is for the people of one corporation, or of the
 * platform, whose email is in one of its proved domains.
 */
export async function requireFreeWay(
  db: Kysely<Database>,
  person: { id: number; email: string; corporation_id: number | null },
): Promise<boolean> {
  const { rows } = await sql<{ exempt: boolean }>`
    SELECT ${person.id} = ANY (p.break_glass_ids) AS exempt
    FROM identity_provider p JOIN identity_domain d ON d.identity_provider_id = p.id AND d.proved_at IS NOT NULL
    WHERE p.enabled AND p.enforced AND p.corporation_id IS NOT DISTINCT FROM ${person.corporation_id}
      AND d.domain = split_part(${person.email}, '@', -1)`.execute(db);
  const [rule] = rows;
  if (rule && !rule.exempt) throw new BusinessError('sign_on_required');
  return rule !== undefined;
}

/** Records the sign-in of a session, which is complete now, if it is an emergency one. */
export async function noteIfEmergency(
  db: Kysely<Database>,
  identity: Pick<Identity, 'clock'>,
  session_id: string,
): Promise<void> {
  const { way, user_id } = await db
    .selectFrom('session')
    .select(['way', 'user_id'])
    .where('id', '=', session_id)
    .executeTakeFirstOrThrow();
  if (way === 'emergency') await noteEmergency(db, identity, { session_id, user_id });
}

/** Records an emergency sign-in, which is complete now, and lets it be mailed. */
export async function noteEmergency(
  db: Kysely<Database>,
  { clock }: Pick<Identity, 'clock'>,
  { session_id, user_id }: { session_id: string; user_id: number },
): Promise<void> {
  const { corporation_id } = await db
    .selectFrom('user_account')
    .select('corporation_id')
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow();
  await audit(
    { db, clock, caller: { user_id, corporation_id } },
    { name: 'sessions', description: 'emergency sign-in', subject_type: 'users', subject_id: user_id },
  );
  await enqueue(db, mailEmergencyJob, { session_id });
}
