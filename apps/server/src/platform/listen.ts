import pg from 'pg';
import { DatabaseClient } from './database-client.ts';
import type { Logger } from './log.ts';

/**
 * Listens on a channel of PostgreSQL's NOTIFY over a connection of its own and keeps listening: a lost connection is
 * made anew every second. What was said meanwhile is lost, so `onMessage` is a hint and never the only way to learn.
 */
export async function listen(
  settings: pg.ClientConfig,
  channel: string,
  onMessage: (payload: string) => void,
  log: Logger,
  onReconnect?: () => void,
): Promise<{ stop(): Promise<void> }> {
  let stopped = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = new DatabaseClient({ ...settings, application_name: `heliograph listen ${channel}` });
    next.on('notification', (message) => onMessage(message.payload ?? ''));
    next.on('error', () => undefined);
    next.on('end', () => {
      if (stopped || client !== next) return;
      log.warn({ channel }, 'listening connection lost');
      again();
    });
    await next.connect();
    await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    client = next;
  };
  const again = () => {
    timer = setTimeout(() => {
      connect().then(onReconnect, again);
    }, 1_000);
  };
  await connect();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
