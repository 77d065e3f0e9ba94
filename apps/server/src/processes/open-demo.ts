import { StartError } from '@heliograph/installation/start-error';
import { verifyAmong } from '#modules/identity';
import type { Config } from '../platform/config/config.ts';
import { type Queryable, rowsOf } from '../platform/database/queryable.ts';
import { isLoopback } from '../platform/process/loopback.ts';
import { DEMO_LOGINS, DEMO_PASSWORD } from '../seed/demo-logins.ts';

/** Answers the setting by which other machines reach the console; undefined if none does. */
function openTo({ HOST, PUBLIC_URL }: Pick<Config, 'HOST' | 'PUBLIC_URL'>): string | undefined {
  if (!isLoopback(HOST)) return `HOST is "${HOST}"`;
  if (PUBLIC_URL && !isLoopback(new URL(PUBLIC_URL).hostname)) return `PUBLIC_URL is "${PUBLIC_URL}"`;
  return undefined;
}

type Open = Pick<Config, 'HOST' | 'PUBLIC_URL' | 'DEMO_IN_PUBLIC'>;

/**
 * Throws a StartError if the demo would be put on an address that other machines reach, unless DEMO_IN_PUBLIC allows
 * it.
 */
export function refuseDemoSeed(config: Open): void {
  const open = config.DEMO_IN_PUBLIC ? undefined : openTo(config);
  if (open === undefined) return;
  throw new StartError(
    `${open}, and this start would add the demo, whose logins and password are public. Set SEED_DEMO=false for your own installation (then run \`npm run create-admin\`), HOST=127.0.0.1 without a PUBLIC_URL to see the demo only on this machine, or DEMO_IN_PUBLIC=true to show the demo to everybody.`,
    2,
  );
}

/** As `refuseDemoSeed`, if enabled demo logins in the database still have the public password. */
export async function refuseOpenDemo(config: Open, db: Queryable): Promise<void> {
  const open = config.DEMO_IN_PUBLIC ? undefined : openTo(config);
  if (open === undefined) return;
  const rows = await rowsOf<{ email: string; password_hash: string }>(
    db,
    // Tenants may give their people any address. If the demo was never in, only the platform's own people count.
    `SELECT email, password_hash FROM user_account WHERE email = ANY ($1) AND enabled AND password_hash LIKE '$argon2id$%'
       AND (corporation_id IS NULL OR EXISTS (SELECT FROM global_configuration WHERE key = 'demo_logins'))`,
    [DEMO_LOGINS.map(({ email }) => email)],
  );
  const known = await verifyAmong(
    DEMO_PASSWORD,
    rows.map(({ password_hash }) => password_hash),
  );
  const logins = rows.flatMap(({ email }, place) => (known[place] ? [email] : []));
  if (logins.length === 0) return;
  throw new StartError(
    `${open}, and this database has demo logins with the public password (${logins.join(', ')}). Disable them or change their passwords; until then set HOST=127.0.0.1 without a PUBLIC_URL. Or set DEMO_IN_PUBLIC=true to show the demo to everybody.`,
    2,
  );
}
