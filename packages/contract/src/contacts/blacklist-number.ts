import { z } from 'zod';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { idText, reference } from '../kernel/fields.ts';
import { personNumber } from '../kernel/personal.ts';
import { resource } from '../kernel/resource.ts';

/** Channels that a blocked number gets nothing from: the console, programs over HTTP, programs over SMPP, or all. */
const CHANNELS = ['all', 'web', 'api', 'smpp'] as const;

const input = z.object({
  corporation_id: reference('corporations'),
  /** Mask: only messages of this sender ID are blocked; empty for all senders. */
  sender_id_id: reference('sender-ids').nullable(),
  channel: z.enum(CHANNELS),
  number: z.string().trim().min(1).max(40),
});

/** Header of a file of numbers. */
export const BLACKLIST_COLUMNS = ['number'] as const;

export const blacklistNumber = resource({
  name: 'blacklist-numbers',
  row: input.extend({
    number: personNumber(z.string()),
    corporation_name: z.string(),
    sender_id_name: z.string().nullable(),
  }),
  create: input.extend({
    sender_id_id: input.shape.sender_id_id.default(null),
    channel: input.shape.channel.default('all'),
  }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    sender_id_id: z.coerce.number().int().optional(),
    channel: input.shape.channel.optional(),
  }),
  sort: ['number', 'corporation_name', 'sender_id_name', 'created_at'],
  title: 'number',
  conflicts: { blacklist_number_key: 'numbers_already_blacklisted' },
});

/** Blocks every number of a file, for one corporation, mask and channel. */
export const uploadBlacklistNumbers = bulkUploadOf(
  'blacklist-numbers',
  'blacklist-numbers-upload',
  z.object({
    corporation_id: idText,
    sender_id_id: idText.nullable().default(null),
    channel: input.shape.channel.default('all'),
  }),
);
