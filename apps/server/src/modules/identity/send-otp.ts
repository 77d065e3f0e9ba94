import type { Locale } from '@heliograph/contract/kernel/scope';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { readSettings } from '#platform/operator/settings';
import { sendMail } from '#platform/outbound/mail';
import { translate } from '#platform/text/i18n';
import { mailEmergencyJob } from './company-rule.ts';
import { mailEmergency } from './mail-emergency.ts';
import { newDeviceJob, tellOfDevice } from './new-device.ts';
import { codeOf, sendOtpJob } from './second-factor.ts';
import { recordEnds, supportEndsJob } from './support-ends.ts';
import { mailSupportRequest, mailSupportRequestJob } from './support-requests.ts';

/** Text of the platform's own to one number, of class otp. */
export interface OwnText {
  msisdn: string;
  text: string;
  /** Sender ID as phones show it. */
  sender_id: string;
  user_id: number;
  /** RFC 3339; if it is not sent by then, it is never sent. */
  expires_at: string;
}

/**
 * Function that hands a text of the platform's own to the pipeline within a transaction; if no link is up, the text is
 * not sent.
 */
export type SendOwnText = (db: Kysely<Database>, text: OwnText) => Promise<void>;

/** Answers up to 11 letters and digits, which every carrier shows. */
const senderOf = (name: string) => name.replace(/[^A-Za-z0-9]/g, '').slice(0, 11) || 'Heliograph';

/** Runs the jobs that send sign-in codes, by SMS if the person has a phone and by email, and mails about new devices. */
export async function identityJobs(
  worker: WorkerContext,
  { key, sendOwnText }: { key: Buffer; sendOwnText: SendOwnText },
): Promise<void> {
  await worker.jobs.work(sendOtpJob, ({ challenge_id }) => sendOtp(worker, key, sendOwnText, challenge_id), {
    concurrency: 2,
  });
  await worker.jobs.work(mailEmergencyJob, ({ session_id }) => mailEmergency(worker, session_id));
  await worker.jobs.work(newDeviceJob, (seen) => tellOfDevice(worker, seen));
  await worker.jobs.work(mailSupportRequestJob, (asked) => mailSupportRequest(worker, asked));
  await worker.jobs.work(supportEndsJob, () => recordEnds(worker.database, worker.clock));
  await worker.jobs.schedule(supportEndsJob, '* * * * *');
}

/** Sends a code by each way that has not succeeded yet: a second try never sends an SMS twice. */
export async function sendOtp(
  { database, clock, config, log }: Pick<WorkerContext, 'database' | 'clock' | 'config' | 'log'>,
  key: Buffer,
  sendOwnText: SendOwnText,
  challengeId: string,
): Promise<void> {
  const settings = await readSettings(database);
  const wait = await database.transaction().execute(async (db) => {
    const found = await db
      .selectFrom('otp_challenge as o')
      .innerJoin('user_account as u', 'u.id', 'o.user_id')
      .select(['o.id', 'o.expires_at', 'o.used_at', 'o.sms_at', 'o.mailed_at'])
      .select(['u.id as user_id', 'u.name', 'u.email', 'u.phone', 'u.preferred_language', 'u.corporation_id'])
      .where('o.id', '=', challengeId)
      .forUpdate('o')
      .executeTakeFirst();
    const now = clock.now();
    if (!found || found.used_at !== null || Date.parse(found.expires_at) <= now.getTime()) return undefined;
    const brand = await brandOf(db, config, found.corporation_id);
    if (found.phone !== null && found.sms_at === null) {
      const text = translate(found.preferred_language as Locale, 'otp.sms_text', {
        app: brand.app,
        code: codeOf(key, found.id),
      });
      const sender_id = senderOf(settings.get('otp_sender_id') ?? brand.app);
      const { user_id, phone, expires_at } = found;
      await sendOwnText(db, { msisdn: phone, text, sender_id, user_id, expires_at });
      await db.updateTable('otp_challenge').set({ sms_at: now.toISOString() }).where('id', '=', found.id).execute();
    }
    return { ...found, brand };
  });
  if (!wait || wait.mailed_at !== null) return;
  const locale = wait.preferred_language as Locale;
  const values = { app: wait.brand.app, name: wait.name, code: codeOf(key, wait.id) };
  const mail = { to: wait.email, subject: translate(locale, 'otp.mail_subject', values) };
  await sendMail(config, { ...mail, text: translate(locale, 'otp.mail_text', values) }, log, wait.brand.mail());
  await database
    .updateTable('otp_challenge')
    .set({ mailed_at: clock.now().toISOString() })
    .where('id', '=', wait.id)
    .execute();
}
