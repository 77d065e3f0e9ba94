import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Locale } from '@heliograph/contract/kernel/scope';
import type { askedOfMe } from '@heliograph/contract/notifications/asked';
import { sql } from 'kysely';
import { z } from 'zod';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { personToMail } from '#platform/person/person-to-mail';
import { notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';
import type { Identity } from './session-tokens.ts';
import { WITH_POLICY } from './sign-in-policy.ts';
import { CONSENTS, MAY_SUPPORT, WITH_ACTOR } from './support-callers.ts';
import { administers, findConsent, isAdministrator, requestWaits, requirePerson } from './support-consents.ts';

/** Job that mails one person a request for consent to a support session. */
export const mailSupportRequestJob = defineJob('mail-support-request', z.object({ user_id: z.int(), to: z.int() }), {
  retryLimit: 3,
});

/** Maximum administrators who get a request. */
const READERS = 20;

/**
 * Asks for the consent of a person, or of their administrators if the policy leaves it to them. Those people get a
 * notice and a mail. Throws `not_found`, `forbidden`, `support_not_allowed`, or `support_already_asked`.
 */
export async function askForConsent(identity: Identity, ctx: Context, id: number, reason: string): Promise<string> {
  await requirePerson(ctx, id);
  const { authDb, clock } = identity;
  const person = await findConsent(identity, ctx.caller.user_id, id);
  if (!person.may_begin) throw new BusinessError('forbidden');
  if (person.allowed === 'nobody') throw new BusinessError('support_not_allowed');
  const now = clock.now().toISOString();
  const readers = await authDb.transaction().execute(async (db) => {
    const { rows } = await sql`
      INSERT INTO support_request AS r (user_id, asked_by, reason, asked_at) VALUES (${id}, ${ctx.caller.user_id}, ${reason}, ${now})
      ON CONFLICT (user_id) DO UPDATE SET asked_by = excluded.asked_by, reason = excluded.reason, asked_at = excluded.asked_at
      WHERE NOT (${requestWaits(now)}) RETURNING 1`.execute(db);
    if (rows.length === 0) throw new BusinessError('support_already_asked');
    await audit(
      { db, clock, caller: ctx.caller },
      {
        name: 'users',
        description: 'support consent requested',
        subject_type: 'users',
        subject_id: id,
        corporation_id: person.corporation_id,
        after: { support: ctx.caller.name, reason },
      },
    );
    const { rows: people } = await sql<{ id: number; locale: Locale }>`
      SELECT u.id, u.preferred_language AS locale FROM user_account u WHERE u.enabled AND NOT u.is_service AND (
        (u.id = ${id} AND ${person.allowed === 'everyone' || isAdministrator(person)})
        OR (${person.allowed === 'administrators'} AND u.id <> ${id} AND u.scope_level = 2 AND u.corporation_id = ${person.corporation_id}))
      ORDER BY u.id LIMIT ${READERS}`.execute(db);
    return people;
  });
  for (const { id: to, locale } of readers) {
    const message = translate(locale, to === id ? 'support.asked' : 'support.asked_of', {
      by: ctx.caller.name,
      name: person.name,
    });
    await notify(ctx.db, to, 'support.asked', { message, to: placeOf(id, to) });
    await enqueue(ctx.db, mailSupportRequestJob, { user_id: id, to });
  }
  return person.name;
}

/** Returns the screen on which a person decides about a request. */
const placeOf = (id: number, to: number): string => (id === to ? '/profile' : `/users/${id}`);

/** Refuses the request for the caller's own console. */
export const refuseOwn = ({ authDb }: Identity, { caller }: Context) =>
  authDb.deleteFrom('support_request').where('user_id', '=', caller.user_id).execute();

/** Refuses the request for the console of a person of the caller's own corporation. Throws `not_found` or `forbidden`. */
export async function refuseFor(identity: Identity, ctx: Context, id: number): Promise<void> {
  await requirePerson(ctx, id);
  if (!administers(ctx, await findConsent(identity, ctx.caller.user_id, id))) throw new BusinessError('forbidden');
  await identity.authDb.deleteFrom('support_request').where('user_id', '=', id).execute();
}

/** Lists the requests that wait for the caller's decision, in the words of the bell. */
export async function supportRequestsOf(
  { authDb, clock }: Identity,
  { caller }: Pick<Context, 'caller'>,
): Promise<ReplyOf<typeof askedOfMe>> {
  const { rows } = await sql<ReplyOf<typeof askedOfMe>[number]>`
    SELECT 'support' AS kind, u.id, u.name, a.name AS by, r.asked_at AS at,
      CASE WHEN u.id = me.id THEN '/profile' ELSE '/users/' || u.id END AS place
    FROM support_request r JOIN user_account u ON u.id = r.user_id LEFT JOIN corporation own ON own.id = u.corporation_id
    ${WITH_POLICY} JOIN user_account a ON a.id = r.asked_by ${WITH_ACTOR} JOIN user_account me ON me.id = ${caller.user_id}
    WHERE ${requestWaits(clock.now().toISOString())} AND a.enabled AND ${MAY_SUPPORT} AND (
      (u.id = me.id AND (${CONSENTS} = 'everyone' OR (${CONSENTS} = 'administrators' AND me.scope_level = 2)))
      OR (${CONSENTS} = 'administrators' AND u.id <> me.id AND me.scope_level = 2 AND me.corporation_id = u.corporation_id))
    ORDER BY r.asked_at DESC LIMIT 100`.execute(authDb);
  return rows;
}

/** Mails one person a request, unless it was decided meanwhile. */
export async function mailSupportRequest(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { user_id, to }: z.output<(typeof mailSupportRequestJob)['data']>,
): Promise<void> {
  const request = await database
    .selectFrom('support_request as r')
    .innerJoin('user_account as u', 'u.id', 'r.user_id')
    .innerJoin('user_account as a', 'a.id', 'r.asked_by')
    .select(['u.name', 'a.name as by', 'r.reason'])
    .where('r.user_id', '=', user_id)
    .executeTakeFirst();
  const person = await personToMail(database, to, 'always');
  if (!request || !person) return;
  const brand = await brandOf(database, config, person.corporation_id);
  const { locale } = person;
  const params = { ...request, app: brand.app, person: person.name, url: `${brand.url}${placeOf(user_id, to)}` };
  const subject = translate(locale, to === user_id ? 'support.asked' : 'support.asked_of', params);
  const text = translate(locale, to === user_id ? 'support.mail' : 'support.mail_of', params);
  await sendMail(config, { to: person.email, subject, text }, log, brand.mail());
}
