import { createLogger } from '#platform/log';
import { OutcomeWriter } from '../../src/modules/delivery/outcomes/outcome-writer.ts';
import { PostgresSession } from '../../src/modules/delivery/postgres-session.ts';
import { connectionSettings } from '../../src/platform/database/db.ts';
import type { Stage } from './stage.ts';

/** Opens a session with the sender's role, which ends with the test. */
export function senderSession(s: Stage, name: string): PostgresSession {
  const session = new PostgresSession(connectionSettings({ DATABASE_URL: s.database.url }, 'sender'), name);
  s.closing.push(() => session.end());
  return session;
}

/** Opens a writer like a sender's, for a test that does the sender's work. */
export const ownWriter = (
  s: Stage,
  session: Pick<PostgresSession, 'client'> = senderSession(s, 'writer'),
): OutcomeWriter =>
  new OutcomeWriter(
    session as PostgresSession,
    createLogger({ LOG_LEVEL: 'silent' }, 'test', process.stderr),
    () => undefined,
  );
