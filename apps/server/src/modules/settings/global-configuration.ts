import { settingFault, settingOf, storedSetting } from '@heliograph/contract/kernel/operator-settings';
import { globalConfiguration } from '@heliograph/contract/settings/global-configuration';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const stored = tableStore(globalConfiguration, {
  table: 'global_configuration',
  searched: ['name', 'key', 'value', 'description'],
});
type Row = Awaited<ReturnType<typeof stored.get>>['data'];

/** Forbids the removal of settings that the program reads; they may be changed or switched off. */
const withAbilities = (row: Row): Row =>
  settingOf(row.key) ? { ...row, abilities: { ...row.abilities, delete: false } } : row;

/** Answers the value in its stored form; throws `validation_failed` if the program does not understand it. */
async function checkedValue(ctx: Context, key: string, value: string): Promise<string> {
  const fault = settingFault(key, value);
  if (fault) throw fieldError('value', fault.key, fault.params);
  if (key === 'number_min' && Number(value) > (await limit(ctx, 'number_max', Number.POSITIVE_INFINITY)))
    throw fieldError('value', 'too_big', { count: await limit(ctx, 'number_max', 0) });
  if (key === 'number_max' && Number(value) < (await limit(ctx, 'number_min', 0)))
    throw fieldError('value', 'too_small', { count: await limit(ctx, 'number_min', 0) });
  return storedSetting(key, value);
}

async function limit({ db }: Context, key: string, otherwise: number): Promise<number> {
  const row = await db.selectFrom('global_configuration').select('value').where('key', '=', key).executeTakeFirst();
  return row ? Number(row.value) : otherwise;
}

/** Settings of the operator; those that the program reads always have a valid value. */
export const globalConfigurations: ResourceHandlers<typeof globalConfiguration> = {
  async list(ctx, call) {
    const page = await stored.list(ctx, call);
    return { ...page, data: page.data.map(withAbilities) };
  },
  async get(ctx, call) {
    return { data: withAbilities((await stored.get(ctx, call)).data) };
  },
  async create(ctx, call) {
    const value = await checkedValue(ctx, call.body.key, call.body.value);
    const made = await stored.create(ctx, { ...call, body: { ...call.body, value } });
    return { ...made, data: withAbilities(made.data) };
  },
  async update(ctx, call) {
    const { data } = await stored.get(ctx, call);
    const { value } = call.body;
    const body = value === undefined ? call.body : { ...call.body, value: await checkedValue(ctx, data.key, value) };
    const updated = await stored.update(ctx, { ...call, body });
    return { ...updated, data: withAbilities(updated.data) };
  },
  async remove(ctx, call) {
    const { data } = await stored.get(ctx, call);
    if (settingOf(data.key)) throw new BusinessError('configuration_built_in');
    return stored.remove(ctx, call);
  },
};
