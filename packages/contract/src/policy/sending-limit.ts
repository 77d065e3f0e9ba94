import { z } from 'zod';
import { label, money, reference } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

/** Everything that a limit can be about: each recipient, the whole corporation, its parts, or the price of a message. */
export const LIMIT_KINDS = ['recipient', 'corporation', 'user', 'api_key', 'sender_id', 'message'] as const;

const input = z.object({
  corporation_id: reference('corporations'),
  name: label(100),
  kind: z.enum(LIMIT_KINDS),
  /** Class of messages that count; null for all. */
  class: z.enum(['otp', 'transactional', 'bulk']).nullable(),
  /** Period, by the corporation's time zone. A limit of the price of a message has none. */
  period: z.enum(['day', 'week', 'month']),
  /** Maximum messages in a period. Either this or `spend` is set. */
  messages: z.int().min(1).max(2_000_000_000).nullable(),
  /** Maximum cost in a period, in the corporation's currency; of one message for the kind `message`. */
  spend: money().nullable(),
  /** Person, API key or sender ID that is limited; null limits each of them alike. */
  user_id: reference('users').nullable(),
  api_key_id: reference('api-keys').nullable(),
  sender_id_id: reference('sender-ids').nullable(),
  enabled: z.boolean(),
});

/** Limits of messages and money. Each holds by itself, so the strictest one decides. */
export const sendingLimit = resource({
  name: 'sending-limits',
  row: input.extend({
    corporation_name: z.string(),
    currency: z.string(),
    user_name: z.string().nullable(),
    api_key_name: z.string().nullable(),
    sender_id_name: z.string().nullable(),
    /** Messages that count, or cost in thousandths, in the present period; null for a limit of each person or number. */
    used: z.int().nullable(),
  }),
  create: input.extend({
    kind: input.shape.kind.default('corporation'),
    class: input.shape.class.default(null),
    period: input.shape.period.default('day'),
    messages: input.shape.messages.default(null),
    spend: input.shape.spend.default(null),
    user_id: input.shape.user_id.default(null),
    api_key_id: input.shape.api_key_id.default(null),
    sender_id_id: input.shape.sender_id_id.default(null),
    enabled: z.boolean().default(true),
  }),
  update: input.pick({ name: true, messages: true, spend: true, enabled: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    kind: z.enum(LIMIT_KINDS).optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['name', 'corporation_name', 'kind', 'period', 'created_at'],
  title: 'name',
  conflicts: { sending_limit_corporation_id_name_key: 'sending_limit_already_exists' },
});
