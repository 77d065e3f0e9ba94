import { KEPT_FIELDS, KEPT_LEAST, type KeptField } from '@heliograph/contract/privacy/retention-rule';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { readSettings } from '#platform/operator/settings';

const DAY_MS = 86_400_000;

/** Days for which the data of a corporation is kept; null for the platform's rule. */
export type KeptDays = Record<KeptField, number | null>;

/** Rule that holds for a corporation. */
export type OwnRule = KeptDays & { corporation_id: number };

/** Reads the rules of corporations, of all or of one: the shortest time of each field. */
export async function readOwnRules(db: Kysely<Database>, corporationId: number | null = null): Promise<OwnRule[]> {
  const shortest = KEPT_FIELDS.map((field) => sql`min(${sql.ref(field)}) AS ${sql.ref(field)}`);
  const { rows } = await sql<OwnRule>`SELECT corporation_id, ${sql.join(shortest)} FROM retention_rule
    WHERE ${corporationId}::bigint IS NULL OR corporation_id = ${corporationId} GROUP BY corporation_id ORDER BY corporation_id`.execute(
    db,
  );
  return rows;
}

/** Settings of the platform that hold for a field besides a rule. */
const SETTING_OF: Readonly<Record<KeptField, readonly string[]>> = {
  otp_days: ['texts_kept_days', 'messages_kept_days'],
  transactional_days: ['texts_kept_days', 'messages_kept_days'],
  bulk_days: ['texts_kept_days', 'messages_kept_days'],
  number_days: ['messages_kept_days'],
  reply_days: ['texts_kept_days'],
  file_days: [],
  log_days: ['log_kept_days'],
};

/** Reads the days for which the platform's settings keep data, by the field of a rule. */
export async function readPlatformDays(db: Kysely<Database>): Promise<KeptDays> {
  const set = await readSettings(db, [...new Set(Object.values(SETTING_OF).flat())]);
  const days = (field: KeptField) =>
    SETTING_OF[field]
      .map((key) => Number(set.get(key) ?? 0))
      .filter((each) => each > 0)
      .map((each) => Math.max(each, KEPT_LEAST[field]))
      .reduce<number | null>((least, each) => (least === null || each < least ? each : least), null);
  return Object.fromEntries(KEPT_FIELDS.map((field) => [field, days(field)])) as KeptDays;
}

/** Returns the first UTC day that is kept for so many days, as `2026-01-31`. */
export const firstKept = (now: Date, days: number): string =>
  new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);

/** Reads the days in force for one corporation: the shortest of its rules and the days of the platform. */
export async function readRulesOf(db: Kysely<Database>, corporationId: number, platform: KeptDays): Promise<KeptDays> {
  const own = (await readOwnRules(db, corporationId))[0];
  const least = (field: KeptField) => {
    const days = [platform[field], own?.[field] ?? null].filter((each) => each !== null);
    return days.length === 0 ? null : Math.min(...days);
  };
  return Object.fromEntries(KEPT_FIELDS.map((field) => [field, least(field)])) as KeptDays;
}
