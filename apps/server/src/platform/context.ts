import type { Locale } from '@heliograph/contract/kernel/scope';
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type pg from 'pg';
import type { Clock } from './clock.ts';
import type { ConnectedConfig } from './config/config.ts';
import type { Database } from './database/db.ts';
import { BusinessError } from './errors.ts';
import { failpoint } from './failpoints.ts';
import type { Logger } from './log.ts';
import { traced } from './operate/tracing.ts';

/** Person of support who sees the console as another person does. They change nothing. */
export interface Supporter {
  user_id: number;
  /** End of the session, RFC 3339. */
  ends_at: string;
}

/** Person of the session behind a call, with their rights and scope. */
export interface Caller {
  user_id: number;
  name: string;
  email: string;
  role: string;
  scope_level: number;
  /**
   * Level of the records they see. It is that of their scope, except for read-only people, who see all of their place.
   */
  seen_level: number;
  /** Null for the platform's own people. */
  corporation_id: number | null;
  department_id: number | null;
  billing_account_id: number | null;
  /** Their corporation and, for a reseller, those it owns; empty for the platform's own people, who see all. */
  corporations: readonly number[];
  permissions: ReadonlySet<string>;
  locale: Locale;
  session_id: string;
  verified: boolean;
  /** Time at which the person last proved in this session that it is them; null for never, and for programs. */
  proved_at: string | null;
  /** Address from which the call came; empty for background work. */
  address: string;
  /** True if the rules of their corporation let them only add a passkey. */
  needs_passkey: boolean;
  content_visible: boolean;
  /** False if the numbers of recipients and repliers are masked for the person. */
  numbers_visible: boolean;
  skip_blacklist: boolean;
  skip_signature: boolean;
  skip_blackout: boolean;
  /** Set in a support session: the caller is the person who is seen, and this is the person who sees. */
  support?: Supporter;
}

/** Everything that a use case works with. A handler and a job get the same object, with another `db`. */
export interface Context {
  /** The transaction of this call, its row level security scope set to the caller's. */
  db: Kysely<Database>;
  caller: Caller;
  clock: Clock;
  log: Logger;
  config: ConnectedConfig;
  locale: Locale;
  /** Runs once the transaction has committed; never when it has not. */
  afterCommit(action: () => void): void;
}

/** Cookies of a public call that bind it to a browser: scripts cannot read them, and no other site can send them. */
export interface OwnCookies {
  read(name: string): string | undefined;
  /** Sets a cookie for the calls below a path; an empty value removes it. */
  write(name: string, value: string, life: { path: string; seconds: number }): void;
}

/** Everything that a public call works with: no session, and no transaction of its own. */
export type PublicContext = Omit<Context, 'db' | 'caller' | 'afterCommit'> & {
  request: { ip: string; userAgent: string; host: string };
  cookies: OwnCookies;
};

const SET_SCOPE = `SELECT set_config('app.level', $1, true), set_config('app.corporations', $2, true),
  set_config('app.department', $3, true), set_config('app.user', $4, true)`;

function scopeOf(caller: Caller): string[] {
  const department = caller.seen_level >= 3 ? String(caller.department_id) : '';
  return [String(caller.seen_level), `{${caller.corporations.join(',')}}`, department, String(caller.user_id)];
}

/** Opens row level security for the caller until the transaction ends. */
export async function setScope(db: Kysely<Database>, caller: Caller): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(SET_SCOPE, scopeOf(caller)));
}

/**
 * Limits a worker's transaction to the records that a caller may see: the API's role with the caller's scope, until it
 * ends.
 */
export async function becomeCaller(client: Pick<pg.ClientBase, 'query'>, caller: Caller): Promise<void> {
  await client.query('SET LOCAL ROLE heliograph_api');
  await client.query(SET_SCOPE, scopeOf(caller));
}

/** Error code of PostgreSQL for a change in a transaction that only reads. */
const READ_ONLY_TRANSACTION = '25006';

/** Throws `forbidden` if the caller lacks a permission. */
export function requirePermission(caller: Caller, permission: string): void {
  if (!caller.permissions.has(permission)) throw new BusinessError('forbidden');
}

/**
 * Throws `forbidden` unless the caller is a person of the platform: only they may change records that all tenants
 * share.
 */
export function requirePlatform(caller: Pick<Caller, 'scope_level'>): void {
  if (caller.scope_level > 1) throw new BusinessError('forbidden');
}

/**
 * Runs a unit of work as the caller: one transaction with their scope. Actions left for `afterCommit` run after it
 * commits.
 */
export async function asCaller<Result>(
  base: Omit<Context, 'db' | 'afterCommit'> & { database: Kysely<Database> },
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const { database, ...rest } = base;
  const later: (() => void)[] = [];
  const { support } = base.caller;
  const begin = support ? database.transaction().setAccessMode('read only') : database.transaction();
  const result = await traced('transaction', {}, () =>
    begin.execute(async (db: Transaction<Database>) => {
      await setScope(db, base.caller);
      const answer = await work({ ...rest, db, afterCommit: (action) => later.push(action) });
      failpoint('request.before-commit');
      return answer;
    }),
  ).catch((error: unknown) => {
    // A support session changes nothing, even if a call that reads forgets it.
    throw support && (error as { code?: string }).code === READ_ONLY_TRANSACTION
      ? new BusinessError('support_session_reads_only', { cause: error })
      : error;
  });
  failpoint('request.after-commit');
  for (const action of later) action();
  return result;
}
