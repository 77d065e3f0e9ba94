import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodePdu, STATUS, statusName } from '@heliograph/smpp';
import { bind, bindPdu, type Esme, rawSocket, smppStage, until } from './stage.ts';

const stage = await smppStage({ after });
const { owner } = stage;
await stage.carrier();
const server = await stage.server();

/** Returns the command_status of a refused bind (or "bound"), and the milliseconds that it took. */
async function refusal(...args: Parameters<typeof bind>): Promise<[status: string, ms: number]> {
  const began = performance.now();
  const esme = await bind(...args).catch((error: { status?: number }) => error);
  if ('session' in esme) {
    (esme as Esme).session.destroy();
    return ['bound', performance.now() - began];
  }
  return [statusName(esme.status ?? -1), performance.now() - began];
}

test('a bind of each mode and version is accepted, and a receiver may not submit', async () => {
  await stage.customer('kinds');
  for (const mode of ['transmitter', 'receiver', 'transceiver'] as const)
    for (const version of [0x33, 0x34, 0x50]) {
      const esme = await bind(server, 'kinds', { mode, version });
      const answer = await esme.submit();
      assert.equal(statusName(answer.status), mode === 'receiver' ? 'ESME_RINVBNDSTS' : 'ESME_ROK');
      await esme.session.unbind();
    }
});

test('a wrong password is answered like an unknown system ID, and locks one address', async () => {
  await stage.customer('locked');
  const tries = await Promise.all(
    Array.from({ length: 8 }, () => refusal(server, 'locked', { password: 'guessed!', localAddress: '127.0.0.1' })),
  );
  const counted = Map.groupBy(tries, ([status]) => status);
  // Parallel tries are limited like tries one after another.
  assert.deepEqual([counted.get('ESME_RINVPASWD')?.length, counted.get('ESME_RBINDFAIL')?.length], [5, 3]);
  assert.ok(
    tries.every(([, ms]) => ms >= 950),
    'each takes a second',
  );
  assert.equal((await refusal(server, 'locked'))[0], 'ESME_RBINDFAIL', 'the right password does not help now');
  assert.equal((await refusal(server, 'nobody'))[0], 'ESME_RINVPASWD');
  const socket = await rawSocket(server, '127.0.0.9');
  socket.write(bindPdu('locked'));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.equal(answer.readUInt32BE(8), STATUS.ROK, 'another address is not locked out');
  socket.destroy();
  await owner.query(`UPDATE smpp_failure SET locked_until = now() - interval '1 second'`);
  assert.equal((await refusal(server, 'locked'))[0], 'bound');
});

test('failures of one system ID do not lock out others behind the same address', async () => {
  await stage.customer('neighbour');
  const address = '127.0.0.1';
  await Promise.all(Array.from({ length: 60 }, (_, i) => refusal(server, `guess-${i % 12}`, { password: 'guessed!' })));
  const { failures } = await stage.one<{ failures: number }>('SELECT failures FROM smpp_failure WHERE key = $1', [
    address,
  ]);
  assert.ok(failures >= 50, `${failures} failures`);
  assert.equal((await refusal(server, 'neighbour'))[0], 'bound');
  // Even if the address has too many failures, a system ID that bound from it lately may still bind.
  await owner.query(`UPDATE smpp_failure SET locked_until = now() + interval '1 minute' WHERE key = $1`, [address]);
  assert.equal((await refusal(server, 'neighbour'))[0], 'bound');
  assert.equal((await refusal(server, 'neighbour', { password: 'guessed!' }))[0], 'ESME_RBINDFAIL');
  await owner.query('DELETE FROM smpp_failure WHERE key = $1', [address]);
});

test('behind a trusted proxy, the PROXY header gives the address of the program', async () => {
  await stage.customer('proxied', { addresses: ['203.0.113.7', '2001:db8::7'] });
  const behind = await stage.server({ SMPP_SERVER_PROXIES: '127.0.0.40,127.0.1.0/24' });
  /** Returns the status of a bind sent after `header`, or undefined if the socket is closed. */
  const bindAfter = async (header: Buffer | string, localAddress = '127.0.0.40'): Promise<number | undefined> => {
    const socket = await rawSocket(behind, localAddress);
    const answer = Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [])]);
    const octets = Buffer.concat([Buffer.from(header), bindPdu('proxied')]);
    // Sent in two pieces, as a network may deliver it.
    socket.write(octets.subarray(0, 9));
    await sleep(20);
    socket.write(octets.subarray(9));
    const [data] = (await answer) as [Buffer?];
    socket.destroy();
    return data?.readUInt32BE(8);
  };
  const v2 = (family: number, source: string, command = 0x21) => {
    const addresses = Buffer.concat([Buffer.from(source, 'hex'), Buffer.alloc(source.length / 2 + 4)]);
    const rest = Buffer.concat([addresses, Buffer.from('0400020000', 'hex')]);
    const start = Buffer.from([command, family, 0, rest.length]);
    return Buffer.concat([Buffer.from('0d0a0d0a000d0a515549540a', 'hex'), start, rest]);
  };
  assert.equal(await bindAfter('PROXY TCP4 203.0.113.7 127.0.0.1 4000 2776\r\n'), STATUS.ROK);
  assert.equal(await bindAfter('PROXY TCP6 2001:db8:0::7 ::1 4000 2776\r\n', '127.0.1.9'), STATUS.ROK);
  assert.equal(await bindAfter(v2(0x11, 'cb007107')), STATUS.ROK);
  assert.equal(await bindAfter(v2(0x21, '20010db8000000000000000000000007')), STATUS.ROK);
  assert.equal(await bindAfter('PROXY TCP4 203.0.113.8 127.0.0.1 4000 2776\r\n'), STATUS.RBINDFAIL);
  assert.equal(await bindAfter(v2(0x11, 'cb007107', 0x20)), STATUS.RBINDFAIL, 'the proxy itself has another address');
  assert.equal(await bindAfter(''), undefined, 'a proxy without a header is closed');
  assert.equal(await bindAfter('PROXY TCP4 nonsense\r\n'), undefined);
  // From an address that is not a trusted proxy, the header is read as a PDU and refused.
  const forged = await bindAfter('PROXY TCP4 203.0.113.7 127.0.0.1 4000 2776\r\n', '127.0.0.41');
  assert.notEqual(forged, STATUS.ROK);
  const { rows } = await owner.query(`SELECT DISTINCT key FROM smpp_failure WHERE key LIKE '127.0.0.40%'`);
  assert.deepEqual(rows, [], 'failures are counted by the address of the program');
  await behind.stop();
});

test('a changed password or address list or a disabled account ends binds immediately', async () => {
  const changes = [
    `password_hash = (SELECT password_hash || 'x' FROM smpp_system_id LIMIT 1)`,
    `addresses = '{198.51.100.0/24}'`,
    'enabled = false',
  ];
  for (const [place, change] of changes.entries()) {
    const { id } = await stage.customer(`revoked-${place}`);
    const esme = await bind(server, `revoked-${place}`, { reply: () => undefined });
    await owner.query(`UPDATE smpp_system_id SET ${change} WHERE id = $1`, [id]);
    await owner.query("SELECT pg_notify('heliograph_smpp_server', '')");
    await esme.closed;
    assert.notEqual((await refusal(server, `revoked-${place}`))[0], 'bound');
  }
});

test('disabling a department ends the binds of its people', async () => {
  const { id } = await stage.customer('night');
  const esme = await bind(server, 'night', { reply: () => undefined });
  const person = '(SELECT user_id FROM smpp_system_id WHERE id = $1)';
  await owner.query(
    `WITH night AS (INSERT INTO department (corporation_id, name, enabled)
       SELECT corporation_id, 'Night', false FROM smpp_system_id WHERE id = $1 RETURNING id)
     UPDATE user_account SET department_id = (SELECT id FROM night) WHERE id = ${person}`,
    [id],
  );
  await esme.closed;
  assert.equal((await refusal(server, 'night'))[0], 'ESME_RBINDFAIL');
  await owner.query(`UPDATE user_account SET department_id = NULL WHERE id = ${person}`, [id]);
});

test('a system ID binds only from its addresses, and up to its limit in all processes', async () => {
  await stage.customer('elsewhere', { addresses: ['198.51.100.0/24'] });
  assert.equal((await refusal(server, 'elsewhere'))[0], 'ESME_RBINDFAIL');
  await owner.query(
    `UPDATE smpp_system_id SET addresses = '{198.51.100.0/24,127.0.0.0/8}' WHERE system_id = 'elsewhere'`,
  );
  assert.equal((await refusal(server, 'elsewhere'))[0], 'bound');
  await stage.customer('off', { enabled: false });
  assert.equal((await refusal(server, 'off'))[0], 'ESME_RBINDFAIL');

  const { id } = await stage.customer('few', { max_binds: 3 });
  const second = await stage.server();
  const tries = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      bind(i % 2 ? server : second, 'few').catch((error: { status: number }) => error),
    ),
  );
  const bound = tries.filter((each): each is Esme => 'session' in each);
  assert.equal(bound.length, 3);
  await bound[0]!.session.unbind();
  await until('the place is free', async () => (await refusal(server, 'few'))[0] === 'bound');

  const row = await owner.query('SELECT id, process FROM smpp_session WHERE smpp_system_id_id = $1', [id]);
  assert.ok(row.rowCount! >= 2);
  await owner.query('UPDATE smpp_system_id SET enabled = false WHERE id = $1', [id]);
  await owner.query("SELECT pg_notify('heliograph_smpp_server', '')");
  const ends = await Promise.all(bound.slice(1).map(({ closed }) => closed));
  assert.deepEqual(
    ends.map(({ reason }) => reason),
    ['peer_unbound', 'peer_unbound'],
  );
});

test('over its rate a customer is throttled, and over its window its queue is full', async () => {
  await stage.customer('slow', { rate: 20 });
  const slow = await bind(server, 'slow');
  const burst = await Promise.all(Array.from({ length: 60 }, () => slow.submit()));
  const byStatus = Map.groupBy(burst, ({ status }) => statusName(status));
  assert.equal([...byStatus.keys()].sort().join(), 'ESME_ROK,ESME_RTHROTTLED');
  const taken = byStatus.get('ESME_ROK')!.length;
  assert.ok(taken >= 20 && taken <= 40, `${taken} were taken`);
  await stage.customer('narrow', { window_size: 5 });
  const narrow = await bind(server, 'narrow');
  const wide = await Promise.all(Array.from({ length: 40 }, () => narrow.submit()));
  const full = wide.filter(({ status }) => status === STATUS.RMSGQFUL).length;
  assert.ok(full > 0 && full <= 35, `${full} were refused`);
  const { rows } = await owner.query(
    `SELECT s.system_id, count(*) FROM program_message p JOIN smpp_system_id s ON s.id = p.smpp_system_id
     WHERE s.system_id IN ('slow', 'narrow') GROUP BY 1 ORDER BY 1`,
  );
  assert.deepEqual(
    rows.map(({ count }) => count),
    [40 - full, taken],
  );
  await Promise.all([slow.session.unbind(), narrow.session.unbind()]);
});

test('silent, deaf and noisy clients do not disturb the others', async () => {
  await stage.customer('calm');
  await stage.customer('rude');
  const idle = await Promise.all(Array.from({ length: 150 }, () => rawSocket(server, '127.0.0.2')));
  for (const socket of idle) socket.write(bindPdu('rude').subarray(0, 7));
  const noise = await rawSocket(server, '127.0.0.3');
  noise.write('GET / HTTP/1.1\r\n\r\n');
  const deaf = await rawSocket(server, '127.0.0.4');
  deaf.write(bindPdu('rude'));
  await once(deaf, 'data');
  deaf.pause();
  const query = encodePdu({ command: 'query_sm', sequence: 5, message_id: 'x' });
  const rubbish = Buffer.concat(Array.from({ length: 2_000 }, () => query));
  const began = performance.now();
  const calm = await bind(server, 'calm');
  // A bind held up by the other sockets would wait until they are closed. The limit leaves time for a busy machine.
  assert.ok(performance.now() - began < 30_000, 'a bind is not held up');
  deaf.write(rubbish);
  const times = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      await sleep(i * 4);
      const sent = performance.now();
      assert.equal(statusName((await calm.submit()).status), 'ESME_ROK');
      return performance.now() - sent;
    }),
  );
  times.sort((a, b) => a - b);
  assert.ok(times[47]! < 30_000, `the slowest answers took ${Math.round(times[47]!)} ms`);
  for (const socket of [...idle, noise, deaf]) socket.destroy();
  await calm.session.unbind();
});

test('a requested unbind ends the bind, after all its submits are answered', async () => {
  const { id } = await stage.customer('ended');
  const esme = await bind(server, 'ended');
  const answers = Array.from({ length: 20 }, () => esme.submit());
  await owner.query('UPDATE smpp_session SET unbind = true WHERE smpp_system_id_id = $1', [id]);
  await owner.query("SELECT pg_notify('heliograph_smpp_server', '')");
  assert.equal((await esme.closed).reason, 'peer_unbound');
  assert.deepEqual(
    new Set((await Promise.all(answers)).map(({ status }) => statusName(status))),
    new Set(['ESME_ROK']),
  );
  await until('the session is gone', async () => {
    const { rowCount } = await owner.query('SELECT FROM smpp_session WHERE smpp_system_id_id = $1', [id]);
    return rowCount === 0;
  });
});
