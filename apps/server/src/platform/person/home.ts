import { canonicalZone } from '@heliograph/contract/kernel/time-zones';
import type { Context } from '../context.ts';
import { readSettings } from '../operator/settings.ts';

/** Time zone of a person, as an IANA name, and the currency of their amounts. */
export interface Home {
  timezone: string;
  currency: string;
}

/** Caller; `timezone` names the zone of a requested file, even if its person prefers another one by now. */
export type Viewer = Pick<Context, 'db' | 'caller'> & { timezone?: string | undefined };

const PLATFORM: Home = { timezone: 'Asia/Manila', currency: 'PHP' };

/**
 * Answers the caller's time zone and currency. The zone of their screens is their own preference, or else their
 * corporation's. The currency is their corporation's. The platform's own people have those of the global configuration.
 */
export async function homeOf(viewer: Viewer): Promise<Home> {
  const { timezone, currency } = await corporationHome(viewer);
  return { timezone: canonicalZone(viewer.timezone ?? (await preferredZone(viewer)) ?? timezone), currency };
}

async function preferredZone({ db, caller }: Viewer): Promise<string | null> {
  const preference = await db
    .selectFrom('user_preference')
    .select('timezone')
    .where('user_id', '=', caller.user_id)
    .executeTakeFirst();
  return preference?.timezone ?? null;
}

async function corporationHome({ db, caller }: Viewer): Promise<Home> {
  if (caller.corporation_id !== null) {
    return db
      .selectFrom('corporation')
      .select(['timezone', 'currency'])
      .where('id', '=', caller.corporation_id)
      .executeTakeFirstOrThrow();
  }
  return { ...PLATFORM, ...Object.fromEntries(await readSettings(db, ['timezone', 'currency'])) };
}
