import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '#platform/config';
import { lockHolder, lockPath } from '#platform/data-folder';
import { listenFault, probePort } from '#platform/ports';
import { certificate } from './certificate.ts';
import { files } from './files.ts';
import { bad, type Found, type Look, ok, warn } from './finding.ts';
import { nats } from './nats.ts';

const LEAST_NODE = 26;
const GIBIBYTE = 1024 ** 3;

const node = (): Found => {
  const [major] = process.versions.node.split('.');
  const detail = `Node ${process.versions.node}.`;
  return Number(major) >= LEAST_NODE
    ? ok(detail)
    : bad(detail, `Run Node ${LEAST_NODE} or later; \`npm install\` brings it along.`);
};

const PORTS = ['PORT', 'SMPP_SERVER_PORT', 'SIMULATOR_SMPP_PORT', 'SIMULATOR_HTTP_PORT'] as const;

/** Whether our ports are free while nothing of ours runs here, or ours while it does; `running` are the kinds that do. */
async function ports(config: Config, running: ReadonlySet<string>): Promise<Found[]> {
  const holder = existsSync(config.DATA_DIR) ? await lockHolder(lockPath(config.DATA_DIR)) : undefined;
  const found: Found[] = [];
  for (const name of PORTS) {
    const port = config[name];
    const host = name.startsWith('SIMULATOR') ? '127.0.0.1' : config.HOST;
    const { code } = port === 0 ? {} : await probePort(port, host);
    if (code === undefined) continue;
    if (code !== 'EADDRINUSE') {
      const { reason, fix } = listenFault(code, { host, port, portSetting: name });
      found.push(bad(reason, fix));
      continue;
    }
    const ours = holder !== undefined || (name === 'PORT' ? running.has('api') : running.has('smpp_server'));
    if (ours) found.push(ok(`${name} ${port} is in use by Heliograph.`));
    // The simulator is the demo's alone.
    else if (!name.startsWith('SIMULATOR') || config.DATABASE_URL === undefined) {
      found.push(
        warn(`${name} ${port} on ${host} is taken by another program.`, `Stop that, or set ${name} to a free port.`),
      );
    }
  }
  return found.length > 0 ? found : [ok('All ports are free.')];
}

function disk(name: string, folder: string): Found {
  let place = folder;
  while (!existsSync(place)) place = dirname(place);
  const { bavail, blocks, bsize } = statfsSync(place);
  const [free, share] = [bavail * bsize, bavail / blocks];
  const detail = `${name} ${folder} has ${(free / GIBIBYTE).toFixed(1)} GiB free (${Math.round(share * 100)} %).`;
  if (free < GIBIBYTE / 2) return bad(detail, 'Make room now: a full disk stops the database.');
  if (free < 4 * GIBIBYTE || share < 0.1) return warn(detail, 'Make room, or shorten how long things are kept.');
  return ok(detail);
}

async function mail({ MAIL_URL }: Config): Promise<Found> {
  if (MAIL_URL === undefined) return ok('Mails are written to DATA_DIR/mail; MAIL_URL is unset.');
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
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    return warn(
      `The mail server ${server.hostname} does not take us: ${code ?? 'no reason given'}${responseCode ? ` ${responseCode}` : ''}.`,
      'Look at MAIL_URL and at the mail server; password links are not sent meanwhile.',
    );
  } finally {
    transport.close();
  }
}

/** What can be seen of this machine and its neighbours; `running` are the kinds of processes that live. */
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
      late: 'See whether FILES_DIR, or what S3_ENDPOINT names, can be reached from here.',
    },
    { name: 'nats', look: () => nats(config), late: 'See whether what NATS_URL names can be reached from here.' },
    { name: 'mail', look: () => mail(config) },
    { name: 'certificate', look: () => certificate(config) },
  ];
}
