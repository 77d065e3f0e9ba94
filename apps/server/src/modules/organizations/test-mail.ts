import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { MailFault, sendTestMail } from '@heliograph/contract/organizations/team';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Call } from '#platform/http/http';
import { mailServerOf } from '#platform/operator/brand';
import { type MailServer, sendMail } from '#platform/outbound/mail';
import { TargetError } from '#platform/outbound/outbound';
import { translate } from '#platform/text/i18n';
import { findTeam } from './team.ts';

type Answer = ReplyOf<typeof sendTestMail>['data'];

const DETAIL_LENGTH = 200;
const failed = (fault: MailFault, detail = ''): Answer => ({ sent: false, fault, detail });

/** Sends a mail by a reseller's saved server; if that fails, answers the reason as a word of the contract. */
export async function testMail(
  base: Omit<Context, 'db' | 'afterCommit'>,
  { params, body }: Call<typeof sendTestMail>,
  run: <R>(work: (ctx: Context) => Promise<R>) => Promise<R>,
): Promise<{ data: Answer }> {
  const found = await run(async (ctx) => {
    const row = await findTeam(ctx, params.id);
    const { rows } = await sql<{ sealed: string | null }>`
      SELECT reseller_password_sealed(${row.id}) AS sealed`.execute(ctx.db);
    await audit(ctx, {
      name: 'teams',
      description: 'test mail',
      subject_type: 'teams',
      subject_id: row.id,
      corporation_id: row.corporation_id,
      after: { mail_server: row.mail_server, mail_port: row.mail_port, to: body.to },
    });
    return { ...row, email_password_sealed: rows[0]?.sealed ?? null };
  });
  let server: MailServer | null;
  try {
    server = mailServerOf(base.config, found);
  } catch {
    return { data: failed('password_unreadable') };
  }
  if (!server) return { data: failed('no_server') };
  const app = server.from.name;
  const say = (part: 'subject' | 'text') =>
    translate(base.locale, `teams.test_mail_${part}`, { app, name: base.caller.name });
  const mail = { to: body.to, subject: say('subject'), text: say('text') };
  try {
    await sendMail(base.config, mail, base.log, server);
    return { data: { sent: true, fault: null, detail: '' } };
  } catch (error) {
    return { data: failed(mailFault(error), detailOf(error)) };
  }
}

interface SmtpError {
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
  message?: string;
}

/** Answers the server's reply, in one line. */
function detailOf(error: unknown): string {
  const { response } = error as SmtpError;
  return (response ?? '').replace(/\s+/g, ' ').trim().slice(0, DETAIL_LENGTH);
}

const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/;

/** Answers the contract's word for a fault at a mail server, or on the way to it. */
export function mailFault(error: unknown): MailFault {
  if (error instanceof TargetError) return error.code;
  const { code = '', command = '', message = '', responseCode } = error as SmtpError;
  const said = `${code} ${message}`;
  if (CERTIFICATE.test(said) || /certificate/i.test(message)) return 'certificate';
  if (/ECONNREFUSED/.test(said)) return 'connection_refused';
  if (code === 'ETIMEDOUT' || /timeout|ETIMEDOUT/i.test(message)) return 'timeout';
  if (code === 'ETLS' || command === 'STARTTLS' || /\bSSL\b|wrong version/i.test(message)) return 'no_tls';
  if (code === 'EAUTH' || command.startsWith('AUTH')) return 'login_refused';
  if (code === 'ENOAUTH' || responseCode === 530) return 'login_refused';
  if (command === 'MAIL FROM') return 'sender_refused';
  if (command === 'RCPT TO') return 'recipient_refused';
  return responseCode === undefined ? 'no_answer' : 'refused';
}
