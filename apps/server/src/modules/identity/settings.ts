import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { readSettings } from '#platform/operator/settings';
import type { PasswordPolicy } from './password-policy.ts';

/** Answers the present rule for new passwords. */
export function passwordPolicy(settings: ReadonlyMap<string, string>): PasswordPolicy {
  return {
    rule: settings.get('password_policy') === 'strong' ? 'strong' : 'standard',
    max_length: Number(settings.get('password_max_length')) || 0,
  };
}

/** Answers when a password that was set at `changedAt` expires; undefined if passwords do not age. */
function passwordEnd(settings: ReadonlyMap<string, string>, changedAt: string): Date | undefined {
  const days = Number(settings.get('password_max_age_days')) || 0;
  return days > 0 ? new Date(Date.parse(changedAt) + days * 86_400_000) : undefined;
}

/** Tells whether a person must choose a new password before anything else. */
export async function isPasswordExpired(
  db: Kysely<Database>,
  person: { password_changed_at: string; must_change_password: boolean },
  now: Date,
): Promise<boolean> {
  if (person.must_change_password) return true;
  const end = passwordEnd(await readSettings(db, ['password_max_age_days']), person.password_changed_at);
  return end !== undefined && end <= now;
}
