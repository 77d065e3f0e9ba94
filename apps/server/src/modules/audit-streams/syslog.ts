import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { ConnectedConfig } from '#platform/config/config';
import { connectTo } from '#platform/outbound/connect-to';

/** Syslog server with TLS, and the certificates from which its own must come. */
export interface SyslogServer {
  host: string;
  port: number;
  ca: string | null;
}

/** Ports that a syslog server may have: its own, and those that belong to no other service. */
const PORTS = [514, 601, ...Array.from({ length: 65_536 - 1_024 }, (_, i) => i + 1_024)];
const WITHIN_MS = 20_000;
/** Facility 13 (log audit) and severity 6 (informational), RFC 5424 clause 6.2.1. */
const PRIORITY = 13 * 8 + 6;

/** Message for a syslog server: its time, a word for its kind, and its text. */
export interface SyslogMessage {
  /** RFC 3339 with at most six decimals. */
  at: string;
  kind: string;
  text: string;
}

/** Writes characters outside ASCII as escapes of JSON, so that no receiver has to guess the encoding. */
const ascii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes a frame: the octets of the message, a space, and the message (RFC 5424 clause 6, RFC 5425 clause 4.3). */
export function frameOf({ at, kind, text }: SyslogMessage): Buffer {
  const message = Buffer.from(`<${PRIORITY}>1 ${at} - heliograph - ${kind} - ${ascii(text)}`);
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}

/**
 * Sends messages over a connection of their own and ends it. The protocol has no answers: they count as received when the
 * server has ended the connection too, which RFC 5425 clause 4.4 asks of it. Throws TargetError and errors of TLS.
 */
export async function sendToSyslog(
  config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>,
  { host, port, ca }: SyslogServer,
  messages: readonly SyslogMessage[],
): Promise<void> {
  const socket = await connectTo(config, { host, port, ports: PORTS });
  await new Promise<void>((resolve, reject) => {
    const secure = connect({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== null && { ca }),
      minVersion: 'TLSv1.2',
    });
    const late = setTimeout(() => fail(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })), WITHIN_MS);
    let ended = false;
    const fail = (error: Error) => {
      clearTimeout(late);
      secure.destroy();
      socket.destroy();
      reject(error);
    };
    secure.on('error', fail);
    secure.once('secureConnect', () => secure.end(Buffer.concat(messages.map(frameOf))));
    secure.on('data', () => undefined);
    secure.once('end', () => {
      ended = true;
    });
    secure.once('close', () => {
      if (!ended) fail(Object.assign(new Error('broken off'), { code: 'ECONNRESET' }));
      else {
        clearTimeout(late);
        resolve();
      }
    });
  });
}
