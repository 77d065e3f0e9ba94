import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Result of trying to listen: the port that was taken, or the system's code for the refusal. */
type Probe = { port: number; code?: undefined } | { port?: undefined; code: string };

/** Tries to listen on a TCP port of `host` and releases it; 0 finds a free one. */
export function probePort(port: number, host = '127.0.0.1'): Promise<Probe> {
  return new Promise((answer) => {
    const probe = createServer();
    probe.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => answer({ code }));
    probe.listen(port, host, () => {
      const address = probe.address();
      const found = typeof address === 'object' && address ? address.port : port;
      probe.close(() => answer({ port: found }));
    });
  });
}

/** Whether a TCP port on `host` can be listened on now; 0 finds a free one. Answers the port, or undefined. */
export const freePort = async (port: number, host?: string): Promise<number | undefined> =>
  (await probePort(port, host)).port;

/** An address that cannot be listened on, and the settings that name its host and its port. */
interface RefusedAddress {
  host: string;
  port: number;
  hostSetting?: string;
  portSetting: string;
}

/** Reason why an address cannot be listened on, and the fix. */
interface ListenFault {
  reason: string;
  fix: string;
}

/** Tells why an address cannot be listened on and how to fix it, by the system's code of the refusal. */
export function listenFault(
  code: string | undefined,
  { host, port, hostSetting = 'HOST', portSetting }: RefusedAddress,
): ListenFault {
  const ownHost = `Set ${hostSetting} to one of ${ownAddresses().join(', ')}, or to 0.0.0.0 for all of them.`;
  switch (code) {
    case 'EADDRINUSE':
      return {
        reason: `The port ${port} on ${host} is in use, perhaps by another Heliograph.`,
        fix: `Stop that program, or choose another port, such as ${portSetting}=${port < 60_000 ? port + 1_000 : port - 1_000}.`,
      };
    case 'EADDRNOTAVAIL':
      return { reason: `${hostSetting} is "${host}", which is not an address of this machine.`, fix: ownHost };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { reason: `${hostSetting} is "${host}", but no address was found for this name.`, fix: ownHost };
    case 'EACCES':
      return {
        reason: `This account may not use port ${port}.`,
        fix: `Set ${portSetting} to 1024 or a higher port.`,
      };
    default:
      return {
        reason: `The port ${port} on ${host} cannot be used (${code ?? 'unknown'}).`,
        fix: `Change ${portSetting} or ${hostSetting}.`,
      };
  }
}

/** As `listenFault`, in one line. */
export function listenFaultLine(code: string | undefined, address: RefusedAddress): string {
  const { reason, fix } = listenFault(code, address);
  return `${reason} ${fix}`;
}

/** Addresses of this machine, without those that need a zone. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ address }) => !address.startsWith('fe80:')).map(({ address }) => address);
}
