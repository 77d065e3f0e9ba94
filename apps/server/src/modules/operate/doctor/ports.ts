import { existsSync } from 'node:fs';
import { lockHolder, lockPath } from '@heliograph/installation/data-folder';
import { listenFault, probePort } from '@heliograph/installation/ports';
import type { Config } from '#platform/config/config';
import { operationsPort } from '#platform/operate/operations-server';
import { bad, type Found, ok, warn } from './finding.ts';

const PORTS = [
  'PORT',
  'SMPP_SERVER_PORT',
  'SMPP_SERVER_TLS_PORT',
  'SIMULATOR_SMPP_PORT',
  'SIMULATOR_HTTP_PORT',
  'PAYMENT_SIMULATOR_PORT',
] as const;
const ASK_MS = 2_000;

/** Tells whether a process of ours answers at an operations port of this machine; it needs no database for that. */
async function answers({ OPERATIONS_HOST }: Config, port: number): Promise<boolean> {
  const host = OPERATIONS_HOST === '0.0.0.0' || OPERATIONS_HOST === '::' ? '127.0.0.1' : OPERATIONS_HOST;
  try {
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/readyz`;
    const response = await fetch(address, { signal: AbortSignal.timeout(ASK_MS) });
    const { checks } = (await response.json()) as { checks?: { name?: string }[] };
    return checks?.[0]?.name === 'process';
  } catch {
    return false;
  }
}

/**
 * Checks our ports: they must be free while none of our processes runs here, and used by ours otherwise. `running` are
 * the kinds that run.
 */
export async function ports(config: Config, running: ReadonlySet<string>): Promise<Found[]> {
  const holder = existsSync(config.DATA_DIR) ? await lockHolder(lockPath(config.DATA_DIR)) : undefined;
  const found: Found[] = [];
  for (const name of PORTS) {
    const port = config[name] ?? 0;
    const simulated = name.includes('SIMULATOR');
    const host = simulated ? '127.0.0.1' : config.HOST;
    const { code } = port === 0 ? {} : await probePort(port, host);
    if (code === undefined) continue;
    if (code !== 'EADDRINUSE') {
      const { reason, fix } = listenFault(code, { host, port, portSetting: name });
      found.push(bad(reason, fix));
      continue;
    }
    const kind = name === 'PORT' ? 'api' : 'smpp-server';
    const ours =
      holder !== undefined ||
      running.has(kind.replace('-', '_')) ||
      (!simulated && (await answers(config, operationsPort(config, kind))));
    if (ours) found.push(ok(`${name} ${port} is in use by Heliograph.`));
    // Only the demo uses the simulator.
    else if (!simulated || config.DATABASE_URL === undefined) {
      found.push(
        warn(
          `${name} ${port} on ${host} is in use by another program.`,
          `Find it: ss -ltnp 'sport = :${port}'. Stop that program, or set ${name} to a free port.`,
        ),
      );
    }
  }
  return found.length > 0 ? found : [ok('All ports are free.')];
}
