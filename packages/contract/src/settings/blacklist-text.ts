import { z } from 'zod';
import { label } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

const input = z.object({
  /** Word or phrase that no message may have; case makes no difference. */
  text: label(200),
});

export const blacklistText = resource({
  name: 'blacklist-text',
  row: input,
  create: input,
  update: input.partial(),
  filters: z.object({}),
  sort: ['text', 'created_at'],
  title: 'text',
  conflicts: { blacklist_text_text_key: 'blacklist_text_already_exists' },
});
