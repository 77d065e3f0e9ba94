import { z } from 'zod';
import { label, reference, text, url } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

const input = z.object({
  corporation_id: reference('corporations'),
  name: label(),
  callback_url: url.nullable(),
  /** Signature at the end of every campaign text of the department; it counts toward the parts. */
  signature: text(160).nullable(),
  enabled: z.boolean(),
});

export const department = resource({
  name: 'departments',
  row: input.extend({ corporation_name: z.string() }),
  create: input.extend({
    callback_url: input.shape.callback_url.default(null),
    signature: input.shape.signature.default(null),
    enabled: z.boolean().default(true),
  }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({ corporation_id: z.coerce.number().int().optional(), enabled: z.stringbool().optional() }),
  sort: ['name', 'corporation_name', 'created_at'],
  title: 'name',
  conflicts: { department_corporation_id_name_key: 'department_already_exists' },
  errors: ['own_department'],
});
