import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { Database } from './db.ts';
import { type Line, sayInstead } from './i18n.ts';
import { listen } from './listen.ts';
import type { Logger } from './log.ts';
import { emit } from './realtime.ts';

const CHANNEL = 'heliograph_languages';

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
  await sql`SELECT pg_notify(${CHANNEL}, '')`.execute(db);
  await emit(db, 'private-application.1', 'languages.changed', {});
}

/** Lets this process say edited lines as they are now, and from then on as they become. */
export async function followLines(
  settings: pg.ClientConfig,
  database: Kysely<Database>,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  const follow = () =>
    editedLines(database).then(sayInstead, (error: unknown) => log.warn({ err: error }, 'language lines not read'));
  await follow();
  return listen(
    settings,
    CHANNEL,
    () => void follow(),
    log,
    () => void follow(),
  );
}
