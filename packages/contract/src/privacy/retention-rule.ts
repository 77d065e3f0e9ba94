import { z } from 'zod';
import { reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { resource } from '../kernel/resource.ts';

/** Everybody who may set rules for a corporation, the highest first. */
export const RULE_SETTERS = ['platform', 'reseller', 'corporation'] as const;
export type RuleSetter = (typeof RULE_SETTERS)[number];

/**
 * Data of a corporation that has a rule, with the fewest days for which it is kept. Receipts of newer texts may still
 * arrive, and months are closed and disputed with full numbers.
 */
export const KEPT_LEAST = {
  otp_days: 7,
  transactional_days: 7,
  bulk_days: 7,
  number_days: 31,
  reply_days: 7,
  file_days: 1,
  log_days: 31,
} as const;
export type KeptField = keyof typeof KEPT_LEAST;
export const KEPT_FIELDS = Object.keys(KEPT_LEAST) as KeptField[];

/** Returns the schema of days; empty for the platform's rule. */
const kept = (field: KeptField) => z.int().min(KEPT_LEAST[field]).max(9_999).nullable();

const days = z.object({
  /** Days for which texts of messages of the class otp are kept. */
  otp_days: kept('otp_days'),
  transactional_days: kept('transactional_days'),
  /** Days for which texts of messages and campaigns of the class bulk are kept. */
  bulk_days: kept('bulk_days'),
  /** Days for which numbers are kept in full. Then they lose their last four digits, and names go. */
  number_days: kept('number_days'),
  /** Days for which replies and notes are kept, and the number of a conversation after its last message. */
  reply_days: kept('reply_days'),
  /** Days for which uploaded and written files are kept. */
  file_days: kept('file_days'),
  /** Days for which entries of the activity log keep their details. */
  log_days: kept('log_days'),
});

/**
 * Days for which a corporation's data is kept. The platform, the reseller and the corporation may each set a rule; the
 * shortest time holds, and never longer than the platform's settings.
 */
export const retentionRule = resource({
  name: 'retention-rules',
  proof: { create: 'always', update: 'always', remove: 'always' },
  row: days.extend({
    corporation_id: reference('corporations'),
    corporation_name: z.string(),
    set_by: z.enum(RULE_SETTERS),
  }),
  create: z.object({
    corporation_id: reference('corporations'),
    otp_days: kept('otp_days').default(null),
    transactional_days: kept('transactional_days').default(null),
    bulk_days: kept('bulk_days').default(null),
    number_days: kept('number_days').default(null),
    reply_days: kept('reply_days').default(null),
    file_days: kept('file_days').default(null),
    log_days: kept('log_days').default(null),
  }),
  update: days.partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    set_by: z.enum(RULE_SETTERS).optional(),
  }),
  sort: ['corporation_name', 'set_by', 'created_at'],
  title: 'corporation_name',
  conflicts: { retention_rule_corporation_id_key: 'retention_rule_already_exists' },
  groups: {
    texts: ['corporation_id', 'otp_days', 'transactional_days', 'bulk_days'],
    people: ['number_days', 'reply_days', 'file_days', 'log_days'],
  },
});

/** Returns the days for which the platform's settings keep data where no rule is shorter; null without a limit. */
export const platformRetention = operation({
  method: 'GET',
  path: '/api/v1/retention-rules/platform',
  permission: 'retention-rules-index',
  reply: z.object(
    Object.fromEntries(KEPT_FIELDS.map((field) => [field, z.int().nullable()])) as Record<
      KeptField,
      z.ZodNullable<z.ZodInt>
    >,
  ),
});
