import { z } from 'zod';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { idText, reference } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

/** SMPP 3.4 §5.2.8: up to 11 characters of the default alphabet, or a number of up to 15 digits. */
export const senderAddress = z
  .string()
  .trim()
  .regex(/^(\d{3,15}|(?=.*[A-Za-z])[A-Za-z0-9 _.&-]{3,11})$/, { error: 'sender_id' });

const input = z.object({
  sender_id: senderAddress,
  corporation_id: reference('corporations'),
  enabled: z.boolean(),
  is_promotional: z.boolean(),
  /** Adds the corporation's opt-out text to every campaign text. */
  add_optout: z.boolean(),
  /** Messages a second; empty for no limit of its own. */
  throughput: z.int().min(1).max(100_000).nullable(),
  optout_keyword: z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N}]{2,20}$/u, { error: 'optout_keyword' })
    .nullable(),
});

export const senderId = resource({
  name: 'sender-ids',
  row: input.extend({ corporation_name: z.string() }),
  create: input.extend({
    enabled: z.boolean().default(true),
    is_promotional: z.boolean().default(false),
    add_optout: z.boolean().default(false),
    throughput: input.shape.throughput.default(null),
    optout_keyword: input.shape.optout_keyword.default(null),
  }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({ corporation_id: z.coerce.number().int().optional(), enabled: z.stringbool().optional() }),
  sort: ['sender_id', 'corporation_name', 'created_at'],
  title: 'sender_id',
  conflicts: { sender_id_corporation_id_sender_id_key: 'sender_ids_already_exist' },
});

/** The header of a file of sender IDs; only the first column is needed. */
export const SENDER_COLUMNS = ['sender_id', 'is_promotional', 'add_optout', 'optout_keyword', 'enabled'] as const;

/** Adds every sender ID of a file to a corporation. */
export const uploadSenderIds = bulkUploadOf('sender-ids', 'sender-ids-upload', z.object({ corporation_id: idText }));
