import { LOCALE_TAGS, LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
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

interface TextsRow extends Record<Locale, string> {
  id: number;
  group: string;
  key: string;
  built_in: boolean;
  edited: boolean;
  created_at: string;
}

const textIn = (locale: Locale) =>
  sql`(SELECT text FROM language_text WHERE language_line_id = l.id AND tag = ${sql.lit(LOCALE_TAGS[locale])})`;
/** Lines with their text in each language under its code; a line that has none in a language shows its English text. */
export const lineTexts = sql<TextsRow>`(
  SELECT l.id, l."group", l.key, l.built_in, l.edited, l.created_at,
    ${sql.join(LOCALES.map((locale) => sql`coalesce(${textIn(locale)}, ${textIn('en')}, '') AS ${sql.ref(locale)}`))}
  FROM language_line l)`.as('line');

/** Reads the lines that the operator has edited or added. */
export function editedLines(db: Kysely<Database>): Promise<Line[]> {
  return db
    .selectFrom(lineTexts)
    .select([sql<string>`"group" || '.' || key`.as('key'), ...LOCALES])
    .where('edited', '=', true)
    .execute();
}

/** Lists texts by language code as rows of `language_text`, without the line. */
export const textRows = (texts: Readonly<Partial<Record<Locale, string>>>): { tag: string; text: string }[] =>
  LOCALES.flatMap((locale) => {
    const text = texts[locale];
    return text === undefined ? [] : [{ tag: LOCALE_TAGS[locale], text }];
  });

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
