import { z } from 'zod';
import { label } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { resource } from '../kernel/resource.ts';

const input = z.object({
  /** Name that is protected with everything that looks like it. */
  name: label(60),
  kind: z.enum(['brand', 'bank', 'government', 'word']),
  /** `hold`: only the platform decides about such a sender ID. `refuse`: only the platform can add one. */
  action: z.enum(['hold', 'refuse']),
});

/** Name that nobody gets as a sender ID without the platform's decision. */
export const protectedName = resource({
  name: 'protected-names',
  row: input,
  create: input.extend({ kind: input.shape.kind.default('brand'), action: input.shape.action.default('hold') }),
  update: input.partial(),
  filters: z.object({ kind: input.shape.kind.optional(), action: input.shape.action.optional() }),
  sort: ['name', 'kind', 'created_at'],
  title: 'name',
  conflicts: { protected_name_name_key: 'protected_name_already_exists' },
});

/** Finds the protected name that a sender ID contains or looks like; null if there is none. */
export const tryName = operation({
  method: 'GET',
  path: '/api/v1/protected-names/explain',
  permission: 'protected-names-index',
  query: z.object({ sender: label(40) }),
  reply: z.object({ data: input.pick({ name: true, action: true }).nullable() }),
});
