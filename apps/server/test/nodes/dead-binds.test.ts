import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bind, smppStage } from '../smpp-server/stage.ts';

const stage = await smppStage({ after });
const { owner } = stage;
const server = await stage.server();

/** Creates a system ID with at most one bind, which `process` last renewed `ago`. */
async function taken(name: string, process: string, ago: string): Promise<void> {
  const { id } = await stage.customer(name, { max_binds: 1 });
  await owner.query(
    `INSERT INTO smpp_session (corporation_id, smpp_system_id_id, process, mode, version, address, tls, seen_at)
     SELECT corporation_id, id, $2, 'transceiver', '3.4', '203.0.113.7', false, now() - $3::interval FROM smpp_system_id WHERE id = $1`,
    [id, process, ago],
  );
}

const mayBind = async (name: string): Promise<boolean> => {
  const esme = await bind(server, name).catch(() => undefined);
  esme?.session.destroy();
  return esme !== undefined;
};

test('binds of a dead SMPP server count for 3.5 seconds, in earlier releases for 20', async () => {
  await owner.query(
    `INSERT INTO node (name, kind, host, pid, version, seen_at) VALUES
       ('dead', 'smpp_server', 'h', 1, '0', now() - interval '3.6 seconds'), ('other', 'smpp_server', 'h', 2, '0', now() + interval '1 minute')`,
  );
  await taken('of-a-dead-one', 'dead', '3.6 seconds');
  await taken('of-a-live-one', 'other', '3.6 seconds');
  await taken('of-an-earlier', 'earlier', '3.6 seconds');
  await taken('of-long-ago', 'earlier', '21 seconds');
  assert.equal(await mayBind('of-a-dead-one'), true);
  assert.equal(await mayBind('of-a-live-one'), false);
  assert.equal(await mayBind('of-an-earlier'), false);
  assert.equal(await mayBind('of-long-ago'), true);
});

test('a draining SMPP server ends its binds and takes none until it is resumed', async () => {
  await stage.customer('guest');
  const esme = await bind(server, 'guest');
  const name = `(SELECT process FROM smpp_session e JOIN smpp_system_id s ON s.id = e.smpp_system_id_id WHERE s.system_id = 'guest')`;
  const { rows } = await owner.query<{ name: string }>(
    `UPDATE node SET draining = true WHERE name = ${name} RETURNING name`,
  );
  assert.equal((await esme.closed).reason, 'peer_unbound');
  assert.equal(await mayBind('guest'), false);
  await owner.query('UPDATE node SET draining = false WHERE name = $1', [rows[0]!.name]);
  const deadline = performance.now() + 30_000;
  while (!(await mayBind('guest'))) assert.ok(performance.now() < deadline, 'it takes binds again');
});
