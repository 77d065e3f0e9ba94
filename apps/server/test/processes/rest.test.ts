import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { createLogger } from '#platform/log';
import { startWorker } from '../../src/processes/worker.ts';
import { makeCast, numbers } from '../campaigns/cast.ts';
import { until } from '../delivery/stage.ts';
import { bind, smppStage } from '../smpp-server/stage.ts';

// Each process rests three seconds after its last sign of work. What is due later must start by its own sign: loops
// without one work once a minute.

const LATER = `now() + interval '9 seconds'`;
const TOMORROW = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 11)}12:00`;
/** Time in ms within which a sign starts a resting process, also on a busy machine, from the start of the wait. */
const SIGN_MS = 30_000;

const cast = await makeCast({ after });
const { owner, config } = cast.stage;
const smpp = await smppStage({ after });

test('a worker at rest starts a scheduled campaign in time, and not before', async () => {
  const { id } = await cast.begin({ custom_numbers: numbers(2) }, { start: TOMORROW });
  assert.equal((await cast.campaignOf(id)).state, 'scheduled');
  const worker = await startWorker({ config, log: createLogger(config, 'worker', process.stderr) });
  after(() => worker.stop());
  const { starts_at } = await owner
    .updateTable('campaign')
    .set({ starts_at: sql<string>`${sql.raw(LATER)}` })
    .where('id', '=', id)
    .returning('starts_at')
    .executeTakeFirstOrThrow();
  await until('it was started', async () => (await cast.campaignOf(id)).state === 'running', SIGN_MS);
  const { started_at } = await cast.campaignOf(id);
  assert.ok(Date.parse(started_at!) >= Date.parse(starts_at!), `${started_at} ${starts_at}`);
});

test('an SMPP server at rest hands in the long message that a dead process left', async () => {
  const server = await smpp.server();
  const { system_id } = await smpp.customer('rested', { octets: 'utf8' });
  const esme = await bind(server, system_id);
  const part = Buffer.concat([Buffer.from([5, 0, 3, 7, 2, 1]), Buffer.from('first half')]);
  const { message_id } = (await esme.submit({ esm_class: 0x40, short_message: part })) as { message_id: string };
  await smpp.owner.query(
    `INSERT INTO smpp_part SELECT smpp_long_message_id, corporation_id, 2, body, data_coding, udh_octets, 1
     FROM smpp_part WHERE smpp_long_message_id = $1`,
    [message_id],
  );
  await esme.session.unbind();
  // Complete messages are taken over ten seconds after they came: this one in ten seconds from now.
  await smpp.owner.query('UPDATE smpp_long_message SET key = NULL, received_at = now() WHERE id = $1', [message_id]);
  const gone = async () => (await smpp.owner.query('SELECT FROM smpp_long_message')).rowCount === 0;
  await until('it was handed in', gone, SIGN_MS);
  const { rows } = await smpp.owner.query('SELECT FROM program_message WHERE client_ref = $1', [message_id]);
  assert.equal(rows.length, 1);
});
