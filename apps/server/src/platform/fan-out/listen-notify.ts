import pg from 'pg';
import { DatabaseClient, type DatabaseSettings } from '../database/client.ts';
import { rowsOf } from '../database/queryable.ts';
import { cutOff } from '../driver/internals.ts';
import { carried, isPool, type Line, type Transport, within } from './transport.ts';

const ANSWER_MS = 5_000;
const CLOSE_MS = 500;
const channelOf = (subject: string) => `heliograph_${subject}`;
const subjectOf = (channel: string) => channel.slice('heliograph_'.length);

/**
 * Carries messages by PostgreSQL's LISTEN and NOTIFY. Within a transaction NOTIFY is part of it. The commit of a
 * transaction with one waits for all others with one, for the disk and for the standby. A message outside a transaction
 * waits for neither.
 */
export function listenNotify(settings: DatabaseSettings): Transport {
  return {
    name: 'postgresql',
    required: true,
    open: (hear) => open(settings, hear),
    tell: notify,
  };
}

const APART = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";

/** Publishes by NOTIFY. */
export const notify: Transport['tell'] = async (from, subject, payload) => {
  const values = [channelOf(subject), carried(payload)];
  if (isPool(from)) await from.query(APART, values);
  else await rowsOf(from, 'SELECT pg_notify($1, $2)', values);
};

/** Publishes by NOTIFY in a transaction of its own, right behind the statements that a session has sent. */
export async function notifyBehind(session: pg.ClientBase, subject: string): Promise<void> {
  await session.query(APART, [channelOf(subject), '']);
}

async function open(settings: DatabaseSettings, hear: (subject: string, payload: string) => void): Promise<Line> {
  const client = new DatabaseClient({ ...settings, application_name: `${settings.application_name} listen` });
  const lost = Promise.withResolvers<void>();
  client.on('notification', ({ channel, payload }) => hear(subjectOf(channel), payload ?? ''));
  client.on('error', () => lost.resolve());
  client.on('end', () => lost.resolve());
  await client.connect();
  // Statements run one after another: from pg 9 on, a busy client accepts no second one.
  let last: Promise<unknown> = Promise.resolve();
  const query = async (text: string) => {
    const answer = last.then(() => client.query(text));
    last = answer.catch(() => undefined);
    await within(ANSWER_MS, answer);
  };
  return {
    listen: (subject) => query(`LISTEN ${pg.escapeIdentifier(channelOf(subject))}`),
    unlisten: (subject) => query(`UNLISTEN ${pg.escapeIdentifier(channelOf(subject))}`),
    check: () => query('SELECT 1'),
    // A peer that is gone does not answer the goodbye.
    close: () =>
      within(CLOSE_MS, client.end()).catch(() => {
        cutOff(client);
      }),
    lost: lost.promise,
  };
}
