import { z } from 'zod';
import { label } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

const input = z.object({ name: label(60) });

/** Ways in which a person's messages reach the platform; the user form offers them. */
export const connectionType = resource({
  name: 'connection-types',
  row: input,
  create: input,
  update: input.partial(),
  filters: z.object({}),
  sort: ['name', 'created_at'],
  title: 'name',
  conflicts: { connection_type_name_key: 'connection_type_already_exists' },
});
