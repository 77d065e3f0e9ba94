import { settingFault, settingOf, storedSetting } from '@heliograph/contract/kernel/operator-settings';
import { globalConfiguration } from '@heliograph/contract/settings/global-configuration';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const stored = tableStore(globalConfiguration, {
  table: 'global_configuration',
  searched: ['name', 'key', 'value', 'description'],
  // Settings that the program reads may be changed or switched off.
  may: ({ key }) => ({ delete: !settingOf(key) }),
});

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
  ...stored,
  async create(ctx, call) {
    const value = await checkedValue(ctx, call.body.key, call.body.value);
    return stored.create(ctx, { ...call, body: { ...call.body, value } });
  },
  async update(ctx, call) {
    const { data } = await stored.get(ctx, call);
    const { value } = call.body;
    const body = value === undefined ? call.body : { ...call.body, value: await checkedValue(ctx, data.key, value) };
    return stored.update(ctx, { ...call, body });
  },
  async remove(ctx, call) {
    const { data } = await stored.get(ctx, call);
    if (settingOf(data.key)) throw new BusinessError('configuration_built_in');
    return stored.remove(ctx, call);
  },
};
