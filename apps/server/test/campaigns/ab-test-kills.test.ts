import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { getCampaignTest } from '@heliograph/contract/campaigns/campaign-test';
import type { z } from 'zod';
import { FAILPOINT_VARIABLE } from '#platform/failpoints';
import { AB_TEST_PLACE } from './ab-test-places.ts';
import { numbers } from './cast.ts';
import { scheduleStage } from './schedule-stage.ts';

type Detail = z.output<typeof getCampaignTest.reply>['data'];

const { stage, contradictions } = await scheduleStage({ after });
const { owner, tenant, clock } = stage;
const PATH = '/api/v1/campaign-tests';

/** Does a piece of work in a process of its own, and returns the signal that ended it. */
async function work(what: object, failpoint = ''): Promise<string | null> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'ab-test-process.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: stage.home.url,
      DATA_DIR: stage.config.DATA_DIR,
      LOG_LEVEL: 'silent',
      AB_TEST_WORK: JSON.stringify({ now: clock.now().getTime(), ...what }),
      ...(failpoint !== '' && { [FAILPOINT_VARIABLE]: failpoint }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal;
}

async function countAll(): Promise<void> {
  for (const { id } of await owner.selectFrom('quote').select('id').where('state', '=', 'counting').execute())
    await stage.count(id);
}

test('campaigns of a test are made once, wherever the API or a worker dies', async () => {
  const made = await stage.call<{ data: Detail }>('boss', 'POST', PATH, {
    name: 'Killed',
    metric: 'delivered',
    share_percent: 50,
    decide_after_hours: 1,
    certainty_percent: 50,
    decides: 'automatic',
    fallback: 'best',
    common: { custom_numbers: numbers(100) },
    variants: ['One', 'Two'].map((content) => ({ sender_id: tenant.sender_id, content, start: null })),
  });
  const { id } = made.body.data;
  await countAll();
  const read = async () => (await stage.call<{ data: Detail }>('boss', 'GET', `${PATH}/${id}`)).body.data;
  const campaigns = async () => (await owner.selectFrom('campaign').select(['id', 'state']).execute()).length;

  const caller = stage.callers.get('boss')!;
  const start = {
    url: `${PATH}/${id}/start`,
    body: { confirmed_cost: (await read()).cost!.total },
    caller: { ...caller, permissions: [...caller.permissions] },
  };
  assert.equal(await work({ start }, 'campaign.created:2'), 'SIGKILL');
  assert.deepEqual([(await read()).state, await campaigns()], ['draft', 0]);
  assert.equal(await work({ start }), null);
  assert.equal(await work({ start }), null);
  const { state, variants } = await read();
  assert.deepEqual([state, await campaigns()], ['running', 2]);

  for (const { campaign_id } of variants) {
    await stage.prepare(campaign_id!);
    await owner.updateTable('campaign').set({ state: 'completed' }).where('id', '=', campaign_id!).execute();
  }
  clock.pass(61);
  assert.equal(await work({}), null);
  await countAll();
  clock.pass(1);
  assert.equal(await work({}, `${AB_TEST_PLACE}:1`), 'SIGKILL');
  assert.deepEqual([(await read()).state, await campaigns()], ['counting', 2]);
  // Two workers take the same step.
  assert.deepEqual(await Promise.all([work({}), work({})]), [null, null]);
  const done = await read();
  assert.deepEqual([done.state, await campaigns()], ['finished', 3]);
  await stage.prepare(done.rest_campaign_id!);
  const messages = await owner.selectFrom('message').select('msisdn').orderBy('msisdn').execute();
  assert.deepEqual(
    messages.map(({ msisdn }) => msisdn),
    numbers(100).split(','),
  );
  assert.deepEqual(await contradictions(), []);
});
