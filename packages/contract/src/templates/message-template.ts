import { z } from 'zod';
import { label, reference } from '../kernel/fields.ts';
import { compileText } from '../kernel/merge-fields.ts';
import { resource } from '../kernel/resource.ts';

const input = z.object({
  corporation_id: reference('corporations'),
  department_id: reference('departments'),
  name: label(),
  /** Text from which a campaign can start, with the placeholders of a campaign. */
  template: z
    .string()
    .min(1)
    .max(1530)
    .refine((text) => compileText(text).unknown.length === 0, { error: 'unknown_placeholder' }),
});

export const messageTemplate = resource({
  name: 'message-templates',
  area: 'templates',
  row: input.extend({ corporation_name: z.string(), department_name: z.string() }),
  create: input,
  update: input.omit({ corporation_id: true, department_id: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    department_id: z.coerce.number().int().optional(),
  }),
  sort: ['name', 'corporation_name', 'department_name', 'created_at'],
  title: 'name',
  conflicts: { message_template_department_id_name_key: 'message_template_already_exists' },
});
