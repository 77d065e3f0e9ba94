import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import type { Kysely } from 'kysely';
import type { Database } from '../database/db.ts';
import { chooseLocale, translate } from '../text/i18n.ts';

/** Function that answers the sentence of a key in one language. */
export type Voice = (key: MessageKey, params?: Record<string, string | number>) => string;

/** Answers the voice in the language of a person; for work without a request. */
export async function voiceOf(db: Kysely<Database>, userId: number): Promise<Voice> {
  const user = await db
    .selectFrom('user_account')
    .select('preferred_language')
    .where('id', '=', userId)
    .executeTakeFirst();
  const locale = chooseLocale(undefined, user?.preferred_language ?? undefined);
  return (key, params) => translate(locale, key, params);
}
