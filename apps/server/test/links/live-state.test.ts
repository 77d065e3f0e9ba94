import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { linkLive } from '@heliograph/contract/links/link';
import { decodePdu, encodePdu, FrameReader } from '@heliograph/smpp';
import type { z } from 'zod';
import { numbers, type Stage, stage, until } from '../delivery/stage.ts';
import { listenOn } from '../own-port.ts';
import { CARRIER, STRANGER } from './certificates.ts';

interface Told {
  state: string;
  holder: string | null;
  live: z.output<typeof linkLive>;
}

const toldOf = async (s: Stage, link: number): Promise<Told | undefined> =>
  (await s.owner.query<Told>('SELECT state, holder, live FROM link_state WHERE link_id = $1', [link])).rows[0];

test('over TLS a link goes up with the right authority and reports certificate faults', async (t) => {
  const s = await stage(t);
  const carrier = await s.simulator({ tls: CARRIER });
  const tls = { port: carrier.smppPort, tls: true, host: 'localhost' };
  const good = await s.addLink({ ...tls, name: 'Good', tls_ca: CARRIER.cert });
  const stranger = await s.addLink({ ...tls, name: 'Stranger', tls_ca: STRANGER });
  const misnamed = await s.addLink({ ...tls, name: 'Misnamed', tls_ca: CARRIER.cert, host: '127.0.0.1' });
  const unchecked = await s.addLink({
    ...tls,
    name: 'Unchecked',
    tls_ca: CARRIER.cert,
    host: '127.0.0.1',
    tls_verify_name: false,
  });
  await s.sender();
  const faultOf = async (link: number) => (await toldOf(s, link))?.live.faults[0]?.code;
  for (const link of [good, unchecked]) await until('it is up', async () => (await toldOf(s, link))?.state === 'up');
  await until('the stranger is refused', async () => (await faultOf(stranger)) === 'DEPTH_ZERO_SELF_SIGNED_CERT');
  await until('the wrong name is refused', async () => (await faultOf(misnamed)) === 'ERR_TLS_CERT_ALTNAME_INVALID');
  assert.equal((await toldOf(s, stranger))?.state, 'down');
});

test('a link with an unreadable password is not bound, and its sender is not ready', async (t) => {
  const s = await stage(t);
  const carrier = await s.simulator();
  const link = await s.addLink({ port: carrier.smppPort, name: 'Sealed', password_sealed: 'v1.of-another-key' });
  const open = await s.addLink({ port: carrier.smppPort, name: 'Open' });
  const sender = await s.sender();
  await until('the other is up', async () => (await toldOf(s, open))?.state === 'up');
  await until('its fault is told', async () => (await toldOf(s, link))?.live.faults[0]?.code === 'password_unreadable');
  const { state, live } = (await toldOf(s, link))!;
  assert.deepEqual([state, live.sessions], ['down', { bound: 0, wanted: 1 }]);
  assert.deepEqual(
    live.faults.map(({ code }) => code),
    ['password_unreadable'],
  );
  assert.deepEqual(sender.unreadable, ['Sealed']);
});

test('the holder of a link reports its binds, its traffic and why it is down', async (t) => {
  const s = await stage(t);
  const carrier = await s.simulator({ settings: { accounts: { heliograph: '', known: 'secret' } } });
  const link = await s.addLink({ port: carrier.smppPort, bind_mode: 'transmitter_receiver', binds: 2 });
  const refused = await s.addLink({ port: carrier.smppPort, name: 'Refused', system_id: 'unknown' });
  const sender = await s.sender();
  await until('it is up', async () => (await toldOf(s, link))?.state === 'up');
  const campaign = await s.campaign([...numbers(20), { msisdn: '639170009904' }], { shared: { link_id: link } });
  await until('all have ended', async () => {
    const { delivered, failed } = await s.counters(campaign.id);
    return delivered === 20 && failed === 1;
  });
  await until('it is told', async () => (await toldOf(s, link))?.live.total.receipts === 20);
  const { live, holder } = (await toldOf(s, link))!;
  assert.ok(holder);
  assert.deepEqual(live.sessions, { bound: 4, wanted: 4 });
  const counted = { submitted: 21, accepted: 20, throttled: 0, failed: 1, unanswered: 0, receipts: 20 };
  assert.deepEqual(live.total, counted);
  assert.deepEqual(live.minute, counted);
  assert.equal(live.in_flight, 0);
  assert.deepEqual(
    live.faults.map(({ code, count }) => [code, count]),
    [['ESME_RINVDSTADR', 1]],
  );
  await until('the refusal is told', async () => (await toldOf(s, refused))?.live.refusal?.code === 'ESME_RINVSYSID');
  await sender.stop();
  assert.deepEqual(
    [(await toldOf(s, link))?.holder, (await toldOf(s, link))?.live.sessions.bound],
    [null, 0],
    'nobody holds it any more',
  );
  const { rows } = await s.owner.query(
    `SELECT sum(submitted)::int AS submitted, sum(accepted)::int AS accepted, sum(failed)::int AS failed, sum(answers)::int AS answers,
      sum(delivered)::int AS delivered, sum(response_ms) > 0 AS timed FROM link_minute WHERE link_id = $1`,
    [link],
  );
  assert.deepEqual(rows, [{ submitted: 21, accepted: 20, failed: 1, answers: 21, delivered: 20, timed: true }]);
});

test('the timers of a link detect a carrier that falls silent', async (t) => {
  const s = await stage(t);
  // This carrier answers the bind and nothing after it.
  const silent = createServer((socket) => {
    const reader = new FrameReader((buffer, at, length) => {
      const { command, sequence } = decodePdu(buffer.subarray(at, at + length));
      if (command === 'bind_transceiver') {
        socket.write(encodePdu({ command: 'bind_transceiver_resp', sequence, system_id: 'mute' }));
      }
    });
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
  });
  const port = await listenOn(silent);
  s.closing.push(async () => silent.close());
  const link = await s.addLink({ port, enquire_link_seconds: 1, response_seconds: 1 });
  await s.sender();
  await until('it is taken for dead', async () =>
    Boolean((await toldOf(s, link))?.live.faults.some(({ code }) => code === 'half_open')),
  );
});
