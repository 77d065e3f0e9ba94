import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { ConnectedConfig } from './config.ts';
import type { Logger } from './log.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

type MailConfig = Pick<ConnectedConfig, 'MAIL_URL' | 'MAIL_FROM' | 'DATA_DIR'>;

const PATIENCE_MS = 10_000;

/**
 * Sends a mail by the server of MAIL_URL. Without one it is written to DATA_DIR/mail as an .eml file, which any mail
 * program opens. Throws where the server does not take it.
 */
export async function sendMail(config: MailConfig, mail: Mail, log: Logger): Promise<void> {
  const message = { from: config.MAIL_FROM, ...mail };
  if (config.MAIL_URL) {
    const transport = createTransport({
      url: config.MAIL_URL,
      connectionTimeout: PATIENCE_MS,
      greetingTimeout: PATIENCE_MS,
      socketTimeout: PATIENCE_MS,
    });
    await transport.sendMail(message);
    return;
  }
  const { message: source } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  const folder = join(config.DATA_DIR, 'mail');
  const file = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, file), source as Buffer, { mode: 0o600 });
  log.info({ file }, 'no MAIL_URL is set: a mail was written to DATA_DIR/mail');
}
