import * as contract from '@heliograph/contract/api/contact';
import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import {
  deleteContact,
  findContact,
  findContacts,
  readContactFields,
  saveContact,
  saveContacts,
} from '#modules/audience';
import { problemOf } from '#modules/intake';
import { mayTryNumbers } from '#platform/access/hidden-numbers';
import { requirePermission } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { mountPublicOperation, type PublicApi, requireLive } from './mount-public.ts';

/** Maximum size in octets of a call with many contacts. */
const MOST_BYTES = 2 * 1024 * 1024;

function placeOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^\d{1,16}$/.test(cursor)) throw new BusinessError('cursor_invalid');
  return Number(cursor);
}

/** Mounts the calls about contacts and their fields. */
export function contactCalls(api: PublicApi): void {
  mountPublicOperation(api, contract.listContacts, ({ holder, query, read }) =>
    read(async (ctx) => {
      if (ctx.is_test) return { data: [], next_cursor: null, has_more: false };
      requirePermission(ctx.caller, 'contacts-index');
      const { limit, tag } = query;
      const before = placeOf(query.cursor);
      // Tags can have numbers in them, which a key without the right must not try.
      if (tag !== undefined && !mayTryNumbers(ctx.caller, tag)) return { data: [], next_cursor: null, has_more: false };
      const number = query.number && (plainDigits(query.number) ?? query.number);
      const wanted = { number, tag, before, limit: limit + 1 };
      const found = await findContacts(ctx, holder.caller.corporation_id!, wanted);
      const data = found.slice(0, limit);
      const has_more = found.length > limit;
      return { data, next_cursor: has_more ? data.at(-1)!.id : null, has_more };
    }),
  );
  mountPublicOperation(api, contract.getContact, ({ holder, params, read }) =>
    read(async (ctx) => {
      requireLive(ctx);
      requirePermission(ctx.caller, 'contacts-show');
      return findContact(ctx, holder.caller.corporation_id!, Number(params.id));
    }),
  );
  mountPublicOperation(api, contract.saveContact, ({ holder, body, read }) =>
    read(async (ctx) => {
      requireLive(ctx);
      requirePermission(ctx.caller, 'contacts-create');
      requirePermission(ctx.caller, 'contacts-edit');
      return saveContact(ctx, holder.caller.corporation_id!, body);
    }),
  );
  mountPublicOperation(
    api,
    contract.saveContacts,
    ({ holder, body, read }) =>
      read(async (ctx) => {
        requireLive(ctx);
        requirePermission(ctx.caller, 'contacts-create');
        requirePermission(ctx.caller, 'contacts-edit');
        const results = await saveContacts(ctx, holder.caller.corporation_id!, body.contacts);
        return {
          saved: results.flatMap((id, index) => (id instanceof BusinessError ? [] : [{ index, id: String(id) }])),
          rejected: results.flatMap((error, index) =>
            error instanceof BusinessError ? [{ index, ...problemOf(error) }] : [],
          ),
        };
      }),
    { bodyLimit: MOST_BYTES },
  );
  mountPublicOperation(api, contract.deleteContact, ({ holder, params, read }) =>
    read(async (ctx) => {
      requireLive(ctx);
      requirePermission(ctx.caller, 'contacts-delete');
      await deleteContact(ctx, holder.caller.corporation_id!, Number(params.id));
      return { id: params.id };
    }),
  );
  mountPublicOperation(api, contract.listContactFields, ({ holder, read }) =>
    read(async (ctx) => {
      requirePermission(ctx.caller, 'contact-fields-index');
      const fields = await readContactFields(ctx.db, holder.caller.corporation_id!);
      return {
        data: fields.map(({ id, key, name, type, choices }) => ({
          id: String(id),
          key,
          name,
          type,
          choices: [...choices],
        })),
      };
    }),
  );
}
