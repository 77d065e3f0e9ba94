import type { Context } from './context.ts';

/** Where somebody's days begin, as an IANA name, and the currency of their amounts. */
export interface Home {
  timezone: string;
  currency: string;
}

const PLATFORM: Home = { timezone: 'Asia/Manila', currency: 'PHP' };

/** The caller's corporation's time zone and currency; those of the global configuration for the platform's own people. */
export async function homeOf({ db, caller }: Pick<Context, 'db' | 'caller'>): Promise<Home> {
  if (caller.corporation_id !== null) {
    return db
      .selectFrom('corporation')
      .select(['timezone', 'currency'])
      .where('id', '=', caller.corporation_id)
      .executeTakeFirstOrThrow();
  }
  const settings = await db
    .selectFrom('global_configuration')
    .select(['key', 'value'])
    .where('key', 'in', ['timezone', 'currency'])
    .where('enabled', '=', true)
    .execute();
  return { ...PLATFORM, ...Object.fromEntries(settings.map(({ key, value }) => [key, value])) };
}
