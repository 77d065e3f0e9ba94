import { z } from 'zod';
import { id, instant } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams } from '../kernel/resource.ts';

const path = '/api/v1/identity-providers/:id/directory';

/** Returns what the directory of a provider has brought: a directory keeps people and groups up to date by SCIM 2.0. */
export const showDirectory = operation({
  method: 'GET',
  path,
  permission: 'identity-providers-show',
  params: idParams,
  reply: z.object({
    data: z.object({
      /** Address that the directory calls. */
      url: z.string(),
      /** First characters of the directory's token; null if it has none. */
      prefix: z.string().nullable(),
      /** Time of its last call, to the minute. */
      called_at: instant.nullable(),
      /** Number of people that it keeps up to date. */
      people: z.int(),
      /** Its groups, at most 1,000, with the role that the first fitting rule gives. */
      groups: z.array(z.object({ id, name: z.string(), people: z.int(), role_name: z.string().nullable() })),
    }),
  }),
  errors: ['not_found'],
});

/** Makes the token of the directory, which only this answer shows. A token before it ends immediately. */
export const startDirectory = operation({
  method: 'POST',
  path,
  permission: 'identity-providers-edit',
  proof: 'always',
  params: idParams,
  reply: z.object({ data: z.object({ token: z.string(), url: z.string() }), message: z.string() }),
  errors: ['not_found', 'forbidden'],
});

/** Ends the directory's token. People and groups stay as they are. */
export const endDirectory = operation({
  method: 'DELETE',
  path,
  permission: 'identity-providers-edit',
  params: idParams,
  reply: z.object({ message: z.string() }),
  errors: ['not_found', 'forbidden'],
});
