import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../log.ts';
import { afterCommit } from './after-commit.ts';
import { carried, isPool, type Line, type Transport, within } from './transport.ts';

/** Address of NATS, and the login. */
export interface NatsSettings {
  /**
   * One server or more, separated by commas: nats:// or tls://, with `user:password@` or `token@` if they are needed.
   */
  servers: string;
  /** A file of credentials. */
  credentials?: string | undefined;
  /** File of the certificate authorities for the servers' certificates, in place of the system's. */
  authorities?: string | undefined;
  /** Beginning of all subjects of an installation: two installations on one NATS never mix. */
  prefix: string;
}

const ANSWER_MS = 5_000;
const CONNECT_MS = 3_000;
/** Subject on which processes report the subjects of messages that they failed to publish. */
const MISSED = '_missed';

/** The options of the client for a setting. Throws if a file cannot be read. */
export function natsOptions({ servers, credentials, authorities }: NatsSettings): ConnectionOptions {
  const urls = servers.split(',').map((server) => new URL(server.trim()));
  const { username, password } = urls[0]!;
  const [name, secret] = [username, password].map(decodeURIComponent);
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    name: 'heliograph',
    ...(name && (secret ? { user: name, pass: secret } : { token: name })),
    ...(credentials && { authenticator: credsAuthenticator(readFileSync(credentials)) }),
    ...((authorities || urls.some(({ protocol }) => protocol === 'tls:')) && {
      tls: authorities ? { ca: readFileSync(authorities, 'utf8') } : {},
    }),
    timeout: CONNECT_MS,
    // The fan-out reconnects by itself, because it must know when messages were missed.
    reconnect: false,
  };
}

/**
 * Carries messages by NATS: they are sent after the transaction commits, in the order of commits, and equal messages of
 * one turn are sent once. Nothing waits for NATS; a server that does not answer within `answerMs` is given up. Subjects
 * of messages that could not be sent are reported as missed once it is back.
 */
export function natsTransport(settings: NatsSettings, log: Logger, answerMs = ANSWER_MS): Transport {
  const options = natsOptions(settings);
  const self = randomUUID();
  const named = (subject: string) => `${settings.prefix}.${subject}`;
  let connection: NatsConnection | undefined;
  let told = 0;
  /** Subjects with a message that NATS has not confirmed, and the number of the last such message. */
  const unconfirmed = new Map<string, number>();
  let turn: Map<string, [subject: string, payload: string]> | undefined;

  const publish = (subject: string, payload: string) => {
    if (!turn) {
      turn = new Map();
      queueMicrotask(() => {
        for (const [name, text] of turn!.values()) {
          unconfirmed.set(name, ++told);
          if (connection && !connection.isClosed()) connection.publish(named(name), text);
        }
        turn = undefined;
      });
    }
    turn.set(`${subject} ${payload}`, [subject, payload]);
  };

  /** Resolves once the server has received everything published until now. */
  const flushed = async (line: NatsConnection, lost: Promise<void>) => {
    const upTo = line === connection ? told : 0;
    const over = lost.then(() => {
      throw new Error('the connection to NATS is lost');
    });
    await within(answerMs, Promise.race([line.flush(), over]));
    // Only now: the next connection may exist before this one is given up, and must still report the missed subjects.
    for (const [subject, number] of unconfirmed) if (number <= upTo) unconfirmed.delete(subject);
  };

  const sayMissed = (line: NatsConnection) => {
    for (const subject of unconfirmed.keys()) line.publish(named(MISSED), `${self} ${subject}`);
  };

  return {
    name: 'nats',
    required: false,
    async open(hear, missed): Promise<Line> {
      const line = await connect(options);
      const lost = line.closed().then(() => undefined);
      const subscriptions = new Map<string, ReturnType<NatsConnection['subscribe']>>();
      const subscribe = (subject: string, said: (payload: string) => void) =>
        line.subscribe(named(subject), {
          callback: (error, message) => {
            if (error) log.error({ err: error, subject }, 'NATS refused a subject; check its permissions');
            else said(Buffer.from(message.data).toString());
          },
        });
      subscribe(MISSED, (payload) => {
        const [who, subject = ''] = payload.split(' ');
        if (who !== self) missed(subject);
      });
      sayMissed(line);
      connection = line;
      await flushed(line, lost).catch(async (error: unknown) => {
        await line.close();
        throw error;
      });
      return {
        async listen(subject) {
          subscriptions.set(
            subject,
            subscribe(subject, (payload) => hear(subject, payload)),
          );
          await flushed(line, lost);
        },
        async unlisten(subject) {
          subscriptions.get(subject)?.unsubscribe();
          subscriptions.delete(subject);
          await flushed(line, lost);
        },
        check: () => flushed(line, lost),
        async close() {
          // Messages of this turn are not sent yet.
          await Promise.resolve();
          if (!line.isClosed()) await flushed(line, lost).catch(() => undefined);
          if (line === connection) connection = undefined;
          await line.close();
        },
        lost,
      };
    },
    async tell(from, subject, payload) {
      const text = carried(payload);
      if (isPool(from)) publish(subject, text);
      else await afterCommit(from, () => publish(subject, text));
    },
  };
}
