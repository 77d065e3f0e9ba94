import { z } from 'zod';
import { label, text } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

const input = z.object({
  name: label(),
  key: z
    .string()
    .trim()
    .max(60)
    .regex(/^[a-z0-9][a-z0-9_.-]*$/, { error: 'configuration_key' }),
  value: text(4_000),
  description: text(500),
  enabled: z.boolean(),
});

export const globalConfiguration = resource({
  name: 'global-configurations',
  row: input,
  create: input.extend({ description: input.shape.description.default(''), enabled: z.boolean().default(true) }),
  update: input.omit({ key: true }).partial(),
  filters: z.object({ enabled: z.stringbool().optional() }),
  sort: ['name', 'key', 'created_at'],
  title: 'name',
  conflicts: { global_configuration_pkey: 'configuration_already_exists' },
  errors: ['configuration_built_in'],
});
