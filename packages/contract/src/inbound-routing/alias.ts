import { z } from 'zod';
import { reference } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

/** A word without spaces, under 128 characters: only the first word of a reply is compared with it. */
const word = z
  .string()
  .trim()
  .min(1)
  .max(127)
  .regex(/^[^\s\p{Cc}]*$/u, { error: 'single_word' });

const input = z.object({
  corporation_id: reference('corporations'),
  /** Word that the aliases stand for. Case makes no difference. */
  word,
  aliases: z.array(word).min(1, { error: 'alias_required' }).max(100),
  enabled: z.boolean(),
});

export const alias = resource({
  name: 'aliases',
  row: input.extend({ corporation_name: z.string() }),
  create: input.extend({ enabled: z.boolean().default(true) }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({ corporation_id: z.coerce.number().int().optional(), enabled: z.stringbool().optional() }),
  sort: ['word', 'corporation_name', 'created_at'],
  title: 'word',
  conflicts: { alias_corporation_id_word_key: 'alias_already_exists' },
  errors: ['aliases_already_exist'],
});
