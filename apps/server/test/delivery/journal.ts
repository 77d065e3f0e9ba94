import { createLogger } from '#platform/log';
import { Journal } from '../../src/modules/delivery/outcomes/journal.ts';
import { PostgresSession } from '../../src/modules/delivery/postgres-session.ts';
import { connectionSettings } from '../../src/platform/db.ts';
import type { Stage } from './stage.ts';

/** A session of the sender's role, ended with the test. */
export function senderSession(s: Stage, name: string): PostgresSession {
  const session = new PostgresSession(connectionSettings({ DATABASE_URL: s.database.url }, 'sender'), name);
  s.closing.push(() => session.end());
  return session;
}

/** A journal as a sender has one, for what a test does in its place. */
export const ownJournal = (s: Stage, session: Pick<PostgresSession, 'client'> = senderSession(s, 'writer')): Journal =>
  new Journal(
    session as PostgresSession,
    createLogger({ LOG_LEVEL: 'silent' }, 'test', process.stderr),
    () => undefined,
  );
