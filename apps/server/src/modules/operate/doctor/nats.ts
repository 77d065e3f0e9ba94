import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Config } from '#platform/config/config';
import { natsPrefix } from '#platform/fan-out/tell';
import { bad, type Found, ok, warn } from './finding.ts';

const HEARD_MS = 5_000;
const WITHOUT = 'Until then events go only through the database, and later.';

interface Server {
  name: string;
  line?: NatsConnection;
  ms?: number;
  fault?: string;
}

/** Answers the cause of a connection error, without the wording of its library. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const code = (cause as { code?: string } | undefined)?.code;
  return (code ?? message) || 'no reason given';
}

function fixFor(fault: string): string {
  if (/authoriz|authenticat/i.test(fault))
    return 'Correct the user and password in NATS_URL, or the file of NATS_CREDENTIALS.';
  if (/cert|tls|ssl|altname/i.test(fault))
    return 'NATS_TLS_CA must contain the authority of its certificate, and NATS_URL the host in that certificate.';
  return 'Start it, correct NATS_URL, or unset it.';
}

/** Answers a subject like those of the processes if there is a key; the doctor creates no key. */
const subjectFor = (config: Config): string => {
  const own = config.SECRET_KEY !== undefined || existsSync(join(config.DATA_DIR, 'secret.key'));
  return `${own ? natsPrefix(config) : 'heliograph'}.doctor.${crypto.randomUUID()}`;
};

/** Finds servers with messages that do not arrive at the first one; processes on several machines need them. */
async function deaf(reached: readonly Server[], subject: string): Promise<Server[]> {
  const heard = new Set<string>();
  const { promise: all, resolve: done } = Promise.withResolvers<void>();
  const [first] = reached;
  first!.line!.subscribe(subject, {
    callback: (error, message) => {
      if (!error) heard.add(message.string());
      if (error || heard.size === reached.length) done();
    },
  });
  const timer = setTimeout(done, HEARD_MS);
  try {
    await first!.line!.flush();
    for (const { name, line } of reached) line!.publish(subject, name);
    await all;
  } catch {
    // Servers without an arrived message are answered below.
  } finally {
    clearTimeout(timer);
  }
  return reached.filter(({ name }) => !heard.has(name));
}

/** Checks whether each server of NATS_URL accepts us, and carries messages from one process to another. */
export async function nats(config: Config): Promise<Found[] | undefined> {
  if (config.NATS_URL === undefined) return undefined;
  const [{ natsOptions }, { connect }] = await Promise.all([
    import('#platform/fan-out/nats'),
    import('@nats-io/transport-node'),
  ]);
  let options: ReturnType<typeof natsOptions>;
  try {
    options = natsOptions({
      servers: config.NATS_URL,
      credentials: config.NATS_CREDENTIALS,
      authorities: config.NATS_TLS_CA,
      prefix: '',
    });
  } catch (error) {
    return [
      bad(
        `A file of NATS_CREDENTIALS or NATS_TLS_CA cannot be read: ${reasonOf(error)}.`,
        'Correct the path, or create the file.',
      ),
    ];
  }
  const ask = async (name: string): Promise<Server> => {
    try {
      const line = await connect({ ...options, servers: [name] });
      return { name, line, ms: await line.rtt() };
    } catch (error) {
      return { name, fault: reasonOf(error) };
    }
  };
  const servers = await Promise.all([options.servers ?? []].flat().map(ask));
  const reached = servers.filter(({ line }) => line !== undefined);
  try {
    const silent = reached.length === 0 ? [] : await deaf(reached, subjectFor(config));
    return servers.map((server) => {
      const { name, ms, fault } = server;
      if (fault !== undefined)
        return warn(`NATS at ${name} cannot be reached: ${fault}.`, `${fixFor(fault)} ${WITHOUT}`);
      if (!silent.includes(server)) return ok(`NATS at ${name} answers in ${ms} ms.`);
      return warn(
        `NATS at ${name} answers in ${ms} ms, but does not carry messages between processes.`,
        `Its user needs the rights to publish and subscribe heliograph.>, and all servers of NATS_URL must be one cluster. ${WITHOUT}`,
      );
    });
  } finally {
    await Promise.all(reached.map(({ line }) => line!.close()));
  }
}
