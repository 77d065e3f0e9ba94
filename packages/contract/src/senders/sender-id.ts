import { z } from 'zod';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { idText, reference } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';
import { encodingOf, segment } from '../kernel/segments.ts';

/** Returns whether an address is a number, or is written like one: phones can write to it. */
export const isNumeric = (address: string): boolean => /^[\d\s+().-]*$/.test(address);

/** Maximum septets of an alphanumeric sender, by 3GPP TS 23.040. */
const NAME_SEPTETS = 11;

function isSenderAddress(address: string): boolean {
  if (isNumeric(address)) return /^\d{3,15}$/.test(address);
  return !/\p{Cc}/u.test(address) && encodingOf(address) === 'gsm' && segment(address).units <= NAME_SEPTETS;
}

/** A name of 1 to 11 GSM characters (those of the extension table count twice), or a number of 3 to 15 digits. */
export const senderAddress = z
  .string()
  .trim()
  .max(15, { error: 'sender_id' })
  .refine(isSenderAddress, { error: 'sender_id' });

const input = z.object({
  sender_id: senderAddress,
  corporation_id: reference('corporations'),
  enabled: z.boolean(),
  is_promotional: z.boolean(),
  /** True adds the corporation's opt-out text to every campaign text. */
  add_optout: z.boolean(),
  /** Maximum messages a second; empty if it has no limit of its own. */
  throughput: z.int().min(1).max(100_000).nullable(),
  optout_keyword: z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N}]{2,20}$/u, { error: 'optout_keyword' })
    .nullable(),
});

export const senderId = resource({
  name: 'sender-ids',
  row: input.extend({
    corporation_name: z.string(),
    /** True if the sender ID has no effect because the platform gave the number or name to somebody else. */
    withheld: z.boolean(),
  }),
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
  errors: ['number_already_given'],
});

/** Header of a file of sender IDs; only the first column is required. */
export const SENDER_COLUMNS = ['sender_id', 'is_promotional', 'add_optout', 'optout_keyword', 'enabled'] as const;

/** Adds every sender ID of a file to a corporation. */
export const uploadSenderIds = bulkUploadOf('sender-ids', 'sender-ids-upload', z.object({ corporation_id: idText }));
