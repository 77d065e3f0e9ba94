import type { Locale } from '@heliograph/contract/kernel/scope';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { PublicContext } from '#platform/context';
import type { Database } from '#platform/database/db';
import { addressGroup } from '#platform/http/address-group';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { translate } from '#platform/text/i18n';

const seen = z.object({ user_id: z.int(), address: z.string(), browser: z.string() });

/** Job that mails a person about a sign-in on a device or at an address that is new for them. */
export const newDeviceJob = defineJob('new-device-mail', seen, { retryLimit: 3 });

/** Number of earlier sessions with which a sign-in is compared. */
const COMPARED = 200;

/** Returns the network of an address: people move within one. */
const networkOf = (ip: string) => addressGroup(ip).replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');

/**
 * Enqueues the mail about a session if no earlier one of the person was on the same browser in the same network. The very
 * first sign-in is no news.
 */
export async function noticeDevice(
  db: Kysely<Database>,
  session_id: string,
  userId: number,
  { ip, userAgent }: PublicContext['request'],
): Promise<void> {
  const earlier = await db
    .selectFrom('session')
    .select(['ip', 'user_agent'])
    .where('user_id', '=', userId)
    .where('id', '<>', session_id)
    .orderBy('created_at', 'desc')
    .limit(COMPARED)
    .execute();
  const isKnown = earlier.some(
    (each) => each.user_agent === userAgent.slice(0, 300) && each.ip !== null && networkOf(each.ip) === networkOf(ip),
  );
  if (earlier.length > 0 && !isKnown)
    await enqueue(db, newDeviceJob, { user_id: userId, address: ip, browser: userAgent.slice(0, 300) });
}

/** Sends the mail about a sign-in. */
export async function tellOfDevice(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { user_id, address, browser }: z.output<typeof seen>,
): Promise<void> {
  const person = await database
    .selectFrom('user_account')
    .select(['name', 'email', 'preferred_language', 'corporation_id'])
    .where('id', '=', user_id)
    .executeTakeFirst();
  if (!person) return;
  const { app, url, mail } = await brandOf(database, config, person.corporation_id);
  const locale = person.preferred_language as Locale;
  const words = { app, url, name: person.name, address, browser };
  const subject = translate(locale, 'sessions.mail_subject', words);
  const text = translate(locale, 'sessions.mail_text', words);
  await sendMail(config, { to: person.email, subject, text }, log, mail());
}
