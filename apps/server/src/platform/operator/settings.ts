import { settingFault } from '@heliograph/contract/kernel/operator-settings';
import type { Kysely } from 'kysely';
import type { Database } from '../database/db.ts';
import type { Logger } from '../log.ts';

let log: Logger | undefined;
const told = new Map<string, string>();

/** Makes this process log each setting with a value that the program does not understand, once for each such value. */
export function logBadSettings(to: Logger): void {
  log = to;
}

/**
 * Reads the operator's global configuration by key; `keys` chooses some. Entries that are switched off, or have a value
 * that the program does not understand, are left out: the program's defaults then apply.
 */
export async function readSettings(
  db: Kysely<Database>,
  keys?: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('global_configuration')
    .select(['key', 'value'])
    .where('enabled', '=', true)
    .$if(keys !== undefined, (q) => q.where('key', 'in', keys!))
    .execute();
  return new Map(rows.filter(understood).map(({ key, value }) => [key, value]));
}

function understood({ key, value }: { key: string; value: string }): boolean {
  if (!settingFault(key, value)) return true;
  if (told.get(key) !== value) log?.warn({ setting: key }, 'invalid setting value; using the default');
  told.set(key, value);
  return false;
}
