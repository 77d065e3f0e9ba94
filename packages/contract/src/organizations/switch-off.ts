import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { idParams } from '../kernel/resource.ts';
import { corporation } from './corporation.ts';
import { department } from './department.ts';

/** Numbers of records that stop when a corporation or a department is switched off. */
const concerned = z.object({
  /** People who are signed out and cannot sign in. */
  users: z.int(),
  /** Campaigns that are being sent or paused. */
  campaigns: z.int(),
  /** Campaigns that wait for their time or an approval. */
  scheduled: z.int(),
  api_keys: z.int(),
  system_ids: z.int(),
  /** Enabled customers of a reseller; they continue unless they are switched off too. */
  customers: z.int(),
});
const reply = z.object({ data: concerned });

/** Returns what stops if a corporation is switched off; changes nothing. */
export const previewCorporationOff = operation({
  method: 'GET',
  path: '/api/v1/corporations/:id/switch-off-preview',
  permission: corporation.permissions.edit,
  params: idParams,
  reply,
  errors: ['not_found'],
});

/** Returns what stops if a department is switched off; changes nothing. */
export const previewDepartmentOff = operation({
  method: 'GET',
  path: '/api/v1/departments/:id/switch-off-preview',
  permission: department.permissions.edit,
  params: idParams,
  reply,
  errors: ['not_found'],
});
