import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { ConnectedConfig } from '../config/config.ts';
import type { Logger } from '../log.ts';
import { allowedAddress } from './outbound.ts';

/** Loaded with the first mail: most processes send none. */
const library = () => import('nodemailer');

export interface Mail {
  to: string;
  subject: string;
  text: string;
  attachments?: readonly { filename: string; content: Buffer; contentType: string }[];
}

/** A reseller's own mail server, with the login and the sender address. */
export interface MailServer {
  host: string;
  port: number;
  security: 'starttls' | 'tls' | 'none';
  /** Null if the server asks for no login. */
  login: { user: string; password: string } | null;
  from: { name: string; address: string };
}

type MailConfig = Pick<ConnectedConfig, 'MAIL_URL' | 'MAIL_FROM' | 'DATA_DIR' | 'PRIVATE_TARGETS'>;

const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 };
/** Ports that mail servers listen on: relay, submission and submission by TLS, and the usual second choice of each. */
const MAIL_PORTS = [25, 465, 587, 2465, 2525, 2587];

/**
 * Sends a mail by `server`, else by the server of MAIL_URL. Without either it is written to DATA_DIR/mail as an .eml
 * file, which any mail program opens. Throws if the server refuses it, or may not be connected to.
 */
export async function sendMail(
  config: MailConfig,
  mail: Mail,
  log: Logger,
  server: MailServer | null = null,
): Promise<void> {
  if (server) return sendBy(config, server, mail);
  const message = messageOf(config.MAIL_FROM, mail);
  const { createTransport } = await library();
  if (config.MAIL_URL) {
    await createTransport({ url: config.MAIL_URL, ...PATIENCE }).sendMail(message);
    return;
  }
  const { message: source } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  const folder = join(config.DATA_DIR, 'mail');
  const file = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Other programs that look into the folder find only complete mails.
  const draft = join(folder, `${file}.part`);
  await writeFile(draft, source as Buffer, { mode: 0o600 });
  await rename(draft, join(folder, file));
  log.info({ file }, 'MAIL_URL is not set; email written to DATA_DIR/mail');
}

const messageOf = <From>(from: From, { attachments = [], ...mail }: Mail) => ({
  from,
  ...mail,
  attachments: [...attachments],
});

/** Sends by a server that a tenant named: to the checked address, with the server's name for its certificate. */
async function sendBy(config: MailConfig, server: MailServer, mail: Mail): Promise<void> {
  const { host, port, security, login, from } = server;
  const { createTransport } = await library();
  const transport = createTransport({
    host: await allowedAddress(config, { host, port, ports: MAIL_PORTS }),
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    // An address has no server name; its certificate must then be for the address (RFC 6066 §3).
    ...(isIP(host) === 0 && { tls: { servername: host } }),
    ...(login && { auth: { user: login.user, pass: login.password } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    ...PATIENCE,
  });
  await transport.sendMail(messageOf(from, mail));
}
