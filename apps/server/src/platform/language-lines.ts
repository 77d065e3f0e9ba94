import { type Kysely, sql } from 'kysely';
import type { Database } from './db.ts';
import type { FanOut } from './fan-out/fan-out.ts';
import { tell } from './fan-out/tell.ts';
import { type Line, sayInstead } from './i18n.ts';
import type { Logger } from './log.ts';
import { emit } from './realtime.ts';

const SUBJECT = 'languages';
/** What nobody told of is found so soon. */
const LOOK_MS = 60_000;

/** The lines that somebody has edited or added. */
export function editedLines(db: Kysely<Database>): Promise<Line[]> {
  return db
    .selectFrom('language_line')
    .select([sql<string>`"group" || '.' || key`.as('key'), 'en', 'cn', 'zh', 'fp'])
    .where('edited', '=', true)
    .execute();
}

/** Tells every process and every open console, once the transaction stands, that lines have changed. */
export async function tellLinesChanged(db: Kysely<Database>): Promise<void> {
  await tell(db, SUBJECT);
  await emit(db, 'private-application.1', 'languages.changed', {});
}

/** Lets this process say edited lines as they are now, and from then on as they become. */
export async function followLines(
  fanOut: FanOut,
  database: Kysely<Database>,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  const follow = () =>
    editedLines(database).then(sayInstead, (error: unknown) => log.warn({ err: error }, 'language lines not read'));
  const hearing = await fanOut.subscribe(
    SUBJECT,
    () => void follow(),
    () => void follow(),
  );
  await follow();
  const looking = setInterval(() => void follow(), LOOK_MS);
  looking.unref();
  return {
    stop() {
      clearInterval(looking);
      return hearing.stop();
    },
  };
}
