import { LOCALES } from '@heliograph/contract/kernel/scope';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/db.ts';
import type { FanOut } from '../fan-out/fan-out.ts';
import { tell } from '../fan-out/tell.ts';
import { repeat } from '../jobs/repeat.ts';
import type { Logger } from '../log.ts';
import { emit } from '../realtime/realtime.ts';
import { type Line, sayInstead } from './i18n.ts';

const SUBJECT = 'languages';
/** Poll interval, in ms, for changes whose notification was lost. */
const LOOK_MS = 60_000;

/** Reads the lines that the operator has edited or added. */
export function editedLines(db: Kysely<Database>): Promise<Line[]> {
  return db
    .selectFrom('language_line')
    .select([sql<string>`"group" || '.' || key`.as('key'), ...LOCALES])
    .where('edited', '=', true)
    .execute();
}

/** Notifies every process and every open console of changed lines, after the transaction commits. */
export async function tellLinesChanged(db: Kysely<Database>): Promise<void> {
  await tell(db, SUBJECT);
  await emit(db, 'private-application.1', 'languages.changed', {});
}

/** Loads the edited lines into this process, and follows their changes from then on. */
export async function followLines(
  fanOut: FanOut,
  database: Kysely<Database>,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  const follow = async () => sayInstead(await editedLines(database));
  const failed = (error: unknown) => log.warn({ err: error }, 'could not read language lines');
  const following = repeat(LOOK_MS, follow, failed);
  const hearing = await fanOut.subscribe(SUBJECT, following.wake, following.wake);
  await follow().catch(failed);
  return {
    async stop() {
      await hearing.stop();
      await following.stop();
    },
  };
}
