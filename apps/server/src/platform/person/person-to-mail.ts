import type { Locale } from '@heliograph/contract/kernel/scope';
import type { Kysely } from 'kysely';
import type { Database } from '../database/db.ts';

/** Subjects that a person may get mails about, in the words of their preferences. */
type Kind = 'approval' | 'finished' | 'balance';

/** Subjects of mails for people who have chosen nothing. */
const USUAL: readonly Kind[] = ['approval', 'balance'];

/** Person who gets a mail, with the language to write it in. */
interface Addressee {
  name: string;
  email: string;
  locale: Locale;
  corporation_id: number | null;
}

/**
 * Returns the person to mail; undefined if they are disabled or do not want mails of a kind. `always` is for mails that
 * nobody can switch off.
 */
export async function personToMail(
  db: Kysely<Database>,
  userId: number,
  kind: Kind | 'always',
): Promise<Addressee | undefined> {
  const person = await db
    .selectFrom('user_account as u')
    .leftJoin('user_preference as p', 'p.user_id', 'u.id')
    .select(['u.name', 'u.email', 'u.preferred_language', 'u.corporation_id', 'p.mail_kinds'])
    .where('u.id', '=', userId)
    .where('u.enabled', '=', true)
    .executeTakeFirst();
  if (!person || (kind !== 'always' && !(person.mail_kinds ?? USUAL).includes(kind))) return undefined;
  const { name, email, preferred_language, corporation_id } = person;
  return { name, email, locale: preferred_language as Locale, corporation_id };
}
