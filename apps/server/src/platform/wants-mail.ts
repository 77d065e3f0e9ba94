import type { Kysely } from 'kysely';
import type { Database } from './db.ts';

/** What a person may be mailed of, in the words of their preferences. */
type Kind = 'approval' | 'finished' | 'balance';

/** What people are mailed of who have chosen nothing. */
const USUAL: readonly Kind[] = ['approval', 'balance'];

/** Whether a person wants mails of a kind. */
export async function wantsMail(db: Kysely<Database>, userId: number, kind: Kind): Promise<boolean> {
  const row = await db
    .selectFrom('user_preference')
    .select('mail_kinds')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return (row?.mail_kinds ?? USUAL).includes(kind);
}
