import type { Kysely } from 'kysely';
import type { Database } from '../database/db.ts';

/** Subjects that a person may get mails about, in the words of their preferences. */
type Kind = 'approval' | 'finished' | 'balance';

/** Subjects of mails for people who have chosen nothing. */
const USUAL: readonly Kind[] = ['approval', 'balance'];

/** Tells whether a person gets mails of a kind. */
export async function wantsMail(db: Kysely<Database>, userId: number, kind: Kind): Promise<boolean> {
  const row = await db
    .selectFrom('user_preference')
    .select('mail_kinds')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return (row?.mail_kinds ?? USUAL).includes(kind);
}
