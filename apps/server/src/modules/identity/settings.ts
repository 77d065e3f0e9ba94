import type { Kysely } from 'kysely';
import type { Database } from '#platform/db';
import type { PasswordPolicy } from './password-policy.ts';

/** The operator's global configuration by key; entries that are switched off are left out. */
export async function readSettings(db: Kysely<Database>): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('global_configuration')
    .select(['key', 'value'])
    .where('enabled', '=', true)
    .execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** The rule for new passwords that is in force. */
export function passwordPolicy(settings: ReadonlyMap<string, string>): PasswordPolicy {
  return {
    rule: settings.get('password_policy') === 'strong' ? 'strong' : 'standard',
    max_length: Number(settings.get('password_max_length')) || 0,
  };
}

/** When a password that was set at `changedAt` stops being good; undefined where passwords do not age. */
export function passwordEnd(settings: ReadonlyMap<string, string>, changedAt: string): Date | undefined {
  const days = Number(settings.get('password_max_age_days')) || 0;
  return days > 0 ? new Date(Date.parse(changedAt) + days * 86_400_000) : undefined;
}
