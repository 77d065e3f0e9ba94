import { createTransport } from 'nodemailer';
import type { Config } from '#platform/config/config';
import { roomOn } from '#platform/operate/disk';
import { certificate } from './certificate.ts';
import { files } from './files.ts';
import { bad, type Found, type Look, ok, warn } from './finding.ts';
import { nats } from './nats.ts';
import { ports } from './ports.ts';

const LEAST_NODE = 26;
const GIBIBYTE = 1024 ** 3;

const node = (): Found => {
  const [major] = process.versions.node.split('.');
  const detail = `Node ${process.versions.node}.`;
  return Number(major) >= LEAST_NODE
    ? ok(detail)
    : bad(detail, `Run Node ${LEAST_NODE} or later; \`npm install\` installs it.`);
};

function disk(name: string, folder: string): Found {
  const { free_bytes, share, level } = roomOn(folder);
  const detail = `${name} ${folder} has ${(free_bytes / GIBIBYTE).toFixed(1)} GiB free (${Math.round(share * 100)} %).`;
  if (level === 'full') return bad(detail, 'Make room now: a full disk stops the database.');
  if (level === 'low') return warn(detail, 'Make room, or keep data for a shorter time.');
  return ok(detail);
}

/** Network codes in an error's text; the mail library calls all of them ESOCKET. */
const NETWORK_CODE = /\bE(CONN|HOST|NET|TIMEDOUT)[A-Z]*\b/;

async function mail({ MAIL_URL, PUBLIC_URL }: Config): Promise<Found> {
  if (MAIL_URL === undefined) {
    const detail = 'MAIL_URL is not set: emails are written to DATA_DIR/mail.';
    // With a public address there are people who wait for their mails.
    return PUBLIC_URL === undefined
      ? ok(detail)
      : warn(detail, 'Set MAIL_URL. Until then nobody gets a password link or a sign-in code by email.');
  }
  const server = new URL(MAIL_URL);
  const limits = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 5_000 };
  const secure = server.protocol === 'smtps:';
  const transport = createTransport({
    host: server.hostname,
    port: Number(server.port) || (secure ? 465 : 587),
    secure,
    ...(server.username !== '' && {
      auth: { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) },
    }),
    ...limits,
  });
  try {
    await transport.verify();
    return ok(`The mail server ${server.hostname} answers.`);
  } catch (error) {
    const { code, responseCode, message } = error as { code?: string; responseCode?: number; message: string };
    const reason = NETWORK_CODE.exec(message)?.[0] ?? code;
    return warn(
      `The mail server ${server.hostname} refuses us: ${reason ?? 'no reason given'}${responseCode ? ` ${responseCode}` : ''}.`,
      'Check MAIL_URL and the mail server. Until then password links are not sent.',
    );
  } finally {
    transport.close();
  }
}

/** Lists the checks of this machine and its neighbors; `running` are the kinds of live processes. */
export function machineLooks(config: Config, running: ReadonlySet<string>): Look[] {
  return [
    { name: 'node', look: node },
    { name: 'ports', look: () => ports(config, running) },
    {
      name: 'disk',
      look: () => [
        disk('DATA_DIR', config.DATA_DIR),
        ...(config.FILES_DIR === undefined ? [] : [disk('FILES_DIR', config.FILES_DIR)]),
        ...(config.BACKUP_DIR === undefined ? [] : [disk('BACKUP_DIR', config.BACKUP_DIR)]),
      ],
    },
    {
      name: 'files',
      look: () => files(config),
      late: 'Check that FILES_DIR or S3_ENDPOINT can be reached from this machine.',
    },
    {
      name: 'nats',
      look: () => nats(config),
      late: 'Check that the servers of NATS_URL can be reached from this machine.',
    },
    { name: 'mail', look: () => mail(config) },
    { name: 'certificate', look: () => certificate(config) },
  ];
}
