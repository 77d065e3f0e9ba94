import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { OwnCookies } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { Retention } from '#platform/jobs/retention';
import { open, seal } from '#platform/process/seal';

/** Used answers are kept for longer than any is valid. */
export const answerRetention: Retention = {
  table: 'provider_answer',
  days: 1,
  since: 'used_at',
  order: ['used_at'],
  rows: 10_000,
};

/** Seconds within which a sign-in must come back from the provider. */
const LIFE_SECONDS = 600;
const PATH = '/api/v1/sso/';
const CONTEXT = 'single sign-on attempt';

/**
 * A sign-in that waits for its provider. The browser keeps it sealed in a cookie, so that strangers who begin many fill
 * no table, and an answer counts only in the browser that asked for it.
 */
export interface Attempt {
  /** Key of the provider. */
  key: string;
  state: string;
  nonce: string;
  /** Secret of PKCE (RFC 7636). */
  verifier: string;
  /** Screen to open afterwards. */
  from: string | null;
}

const digest = (text: string) => createHash('sha256').update(text).digest();
const cookieOf = (state: string) => `sso_${digest(state).toString('hex').slice(0, 16)}`;

/** Gives an attempt to the browser. */
export function keepAttempt(key: Buffer, cookies: OwnCookies, now: Date, attempt: Attempt): void {
  const until = now.getTime() + LIFE_SECONDS * 1000;
  const sealed = seal(key, JSON.stringify({ ...attempt, until }), CONTEXT);
  cookies.write(cookieOf(attempt.state), sealed, { path: PATH, seconds: LIFE_SECONDS });
}

/** Takes the attempt that an answer belongs to from the browser; undefined if it began none, elsewhere or too long ago. */
export function takeAttempt(
  key: Buffer,
  cookies: OwnCookies,
  now: Date,
  answer: { key: string; state: string },
): Attempt | undefined {
  const name = cookieOf(answer.state);
  const sealed = cookies.read(name);
  if (sealed === undefined) return undefined;
  cookies.write(name, '', { path: PATH, seconds: 0 });
  try {
    const attempt = JSON.parse(open(key, sealed, CONTEXT)) as Attempt & { until: number };
    const fits = attempt.key === answer.key && attempt.state === answer.state && attempt.until > now.getTime();
    return fits ? attempt : undefined;
  } catch {
    return undefined;
  }
}

/** Uses up an answer of a provider, also with parallel requests. Throws `sign_on_failed` if it was used before. */
export async function useAnswer(db: Kysely<Database>, now: Date, ...parts: readonly string[]): Promise<void> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('provider_answer')
    .values({ digest: digest(JSON.stringify(parts)), used_at: now.toISOString() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) throw new BusinessError('sign_on_failed');
}
