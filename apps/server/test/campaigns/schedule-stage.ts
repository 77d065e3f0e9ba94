import { beforeEach } from 'node:test';
import type { Scope } from '../template-database.ts';
import { makeCast, numbers } from './cast.ts';

/** Day on which each test begins. */
export const DAY = '2031-05-05';

/** Builds the cast. Before each test it is 08:00 in Manila, no blackout time is set and no other campaign runs. */
export async function scheduleStage(t: Scope) {
  const cast = await makeCast(t);
  const { stage, campaignOf, create } = cast;
  const { owner, tenant, clock } = stage;

  beforeEach(async () => {
    clock.put(`${DAY}T00:00:00Z`); // 08:00 in Manila
    await owner.deleteFrom('blackout_time').execute();
    await owner.updateTable('campaign').set({ state: 'stopped' }).where('state', 'in', ['running', 'paused']).execute();
    await zone('Asia/Manila');
  });
  const zone = (timezone: string) =>
    owner.updateTable('corporation').set({ timezone }).where('id', '=', tenant.corporation_id).execute();
  const blackout = (start_time: string, end_time: string) =>
    owner.insertInto('blackout_time').values({ corporation_id: tenant.corporation_id, start_time, end_time }).execute();
  const chunksOf = async (id: number) =>
    (
      await owner
        .selectFrom('chunk')
        .select(['state', 'size', 'quiet_zone', 'after_canary'])
        .where('campaign_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ state, size, quiet_zone, after_canary }) => ({ state, size, quiet_zone, after_canary }));
  const stateOf = async (id: number) => (await campaignOf(id)).state;
  const refusal = async (schedule: object, token = 'boss') => {
    const { body } = await create(await stage.quote({ custom_numbers: numbers(2) }, token), token, { schedule });
    return body.code === 'validation_failed' ? Object.keys(body.errors ?? {})[0] : body.code;
  };

  return { ...cast, zone, blackout, chunksOf, stateOf, refusal };
}
