import { listNumber, numberList } from '@heliograph/contract/contacts/number-list';
import { checkNumber, type NumberFault } from '@heliograph/contract/kernel/number-rules';
import { sql } from 'kysely';
import { requireDepartment } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mountResource } from '#platform/http/http';
import { readNumberRules } from '#platform/operator/number-rules';
import { tableStore } from '#platform/records/table-store';
import { pageOfNumbers } from './number-selection.ts';

/** Keys under `validation.` of the sentences that explain a fault in a number. */
export const FAULT_TEXT = {
  empty: 'empty',
  spreadsheet_damage: 'spreadsheet_damage',
  dot: 'number_dot',
  not_a_number: 'not_a_number',
  too_short: 'number_too_short',
  too_long: 'number_too_long',
  wrong_prefix: 'wrong_prefix',
} as const satisfies Record<NumberFault, string>;

/** Mounts the lists of numbers. */
export function numberListRoutes(app: App): void {
  const stored = tableStore(numberList, {
    table: 'number_list',
    from: 'number_list_row',
    searched: ['name', 'department_name'],
  });
  mountResource(app, numberList, {
    ...stored,
    create: async (ctx, call) => {
      await requireDepartment(ctx, call.body);
      const body = { ...call.body, created_by: ctx.caller.user_id };
      return stored.create(ctx, { ...call, body });
    },
  });
}

/** Mounts the numbers of a list. */
export function listNumberRoutes(app: App): void {
  const stored = tableStore(listNumber, { table: 'number_list_number', from: 'number_list_number_row' });
  mountResource(app, listNumber, {
    ...stored,
    list: (ctx, { query }) => pageOfNumbers(ctx, query),
    create: async (ctx, call) => {
      const body = { ...call.body, number: await requireNumber(ctx, call.body.number) };
      await countNumbers(ctx, body.number_list_id, 1);
      return stored.create(ctx, { ...call, body });
    },
    update: async (ctx, call) => {
      const { number } = call.body;
      if (number === undefined) return stored.update(ctx, call);
      const body = { ...call.body, number: await requireNumber(ctx, number) };
      return stored.update(ctx, { ...call, body });
    },
    remove: async (ctx, call) => {
      const row = await ctx.db
        .selectFrom('number_list_number')
        .select('number_list_id')
        .where('id', '=', call.params.id)
        .executeTakeFirst();
      if (!row) throw new BusinessError('not_found');
      await countNumbers(ctx, row.number_list_id, -1);
      return stored.remove(ctx, call);
    },
  });
}

/** Returns a number as it is stored. Throws a 422 that names its fault. */
export async function requireNumber(ctx: Context, raw: string, field = 'number'): Promise<string> {
  const { msisdn, fault } = checkNumber(raw, await readNumberRules(ctx.db));
  if (msisdn === undefined) throw fieldError(field, FAULT_TEXT[fault]);
  return msisdn;
}

/** Updates the count of a list. The lock on its row makes changes of a list wait for each other. */
async function countNumbers(ctx: Context, listId: number, difference: number): Promise<void> {
  const list = await ctx.db
    .updateTable('number_list')
    .set({ numbers_count: sql`numbers_count + ${difference}` })
    .where('id', '=', listId)
    .returning('id')
    .executeTakeFirst();
  if (!list) throw fieldError('number_list_id', 'not_visible');
}
