import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Simulator } from '@heliograph/carrier-simulator';
import { passwordContext } from '#modules/delivery';
import { seal, secretKey } from '#platform/process/seal';
import { logOf, numbers, type Stage, stage, until } from '../delivery/stage.ts';

const MESSAGES = 3_000;
const PASSWORDS = { old: 'lantern', fresh: 'beacon' };

const setPassword = (s: Stage, linkId: number, password: string) =>
  s.owner.query('UPDATE link SET password_sealed = $2 WHERE id = $1', [
    linkId,
    seal(secretKey(s.config()), password, passwordContext(linkId)),
  ]);

const acceptedBy = (carriers: readonly Simulator[]) => carriers.reduce((sum, c) => sum + c.counts().accepted, 0);

test('host, port, password and rate change under traffic, and nothing is sent twice', async (t) => {
  const s = await stage(t);
  const [first, second] = await Promise.all([
    s.simulator({ settings: { accounts: { heliograph: PASSWORDS.old } } }),
    s.simulator({ settings: { accounts: { heliograph: PASSWORDS.fresh } } }),
  ]);
  const link = await s.addLink({ port: first!.smppPort, rate: 300, window_size: 50 });
  await setPassword(s, link, PASSWORDS.old);
  await s.sender();
  const campaign = await s.campaign(numbers(MESSAGES));
  const counted = async () => (await s.counters(campaign.id))['submitted']!;
  await until('some have left by the first carrier', () => first!.counts().accepted > 100);

  await s.owner.query(`UPDATE link SET rate = 400 WHERE id = $1`, [link]);
  const before = acceptedBy([first!]);
  await until('more have left at another rate', () => acceptedBy([first!]) > before + 200);
  assert.ok((await counted()) < MESSAGES, 'there is traffic still');

  await s.transaction(async (client) => {
    await client.query(`UPDATE link SET host = 'localhost', port = $2, rate = 2000 WHERE id = $1`, [
      link,
      second!.smppPort,
    ]);
    await client.query('UPDATE link SET password_sealed = $2 WHERE id = $1', [
      link,
      seal(secretKey(s.config()), PASSWORDS.fresh, passwordContext(link)),
    ]);
  });
  await until('all have left', async () => (await counted()) === MESSAGES);
  // The first carrier keeps the receipts that it had not sent when the link left it.
  const kept = () => first!.counts().accepted - first!.counts().receipts_acknowledged;
  // The acknowledgments of receipts that it did send may have been lost with the session.
  await until(
    'all others are delivered',
    async () => (await s.counters(campaign.id))['delivered']! >= MESSAGES - kept(),
  );
  assert.ok(kept() < MESSAGES / 3, `${kept()} receipts are with the carrier that was left`);
  assert.ok(second!.counts().accepted > 0, 'the second carrier took its share');
  const reached = [first!, second!].flatMap((carrier) => logOf(carrier).map(({ to }) => to));
  assert.equal(reached.length, MESSAGES, 'nothing was doubled');
  assert.equal(new Set(reached).size, MESSAGES, 'nothing was lost');
  assert.equal((await s.account()).reserved, 0);
});

test('a draining link finishes its window, sends nothing new and goes off', async (t) => {
  const s = await stage(t);
  // The answers come later than a link that is simply released would wait.
  const carrier = await s.simulator({ settings: { faults: { late_response: 1 }, late_response_ms: 7_000 } });
  const link = await s.addLink({ port: carrier.smppPort, window_size: 20 });
  await s.sender();
  const campaign = await s.campaign(numbers(500));
  await until('the window is full', () => carrier.counts().accepted >= 20);
  await s.owner.query('UPDATE link SET enabled = false, draining = true WHERE id = $1', [link]);
  const look = () =>
    s.one<{ state: string; draining: boolean; holder: string | null; in_flight: number }>(
      `SELECT s.state, draining, s.holder, (live -> 'in_flight')::integer AS in_flight
       FROM link l JOIN link_state s ON s.link_id = l.id WHERE l.id = $1`,
      [link],
    );
  await until('it is drained', async () => !(await look()).draining);
  await until('its lanes are given back', async () => (await look()).holder === null);
  assert.equal((await look()).in_flight, 0);
  const taken = carrier.counts().accepted;
  assert.ok(taken < 500, `${taken} of 500 had left`);
  // Every message that was handed over has an answer, so none is uncertain.
  await until('what left is recorded', async () => (await s.counters(campaign.id))['submitted'] === taken);
  const { processed } = await s.counters(campaign.id);
  assert.equal(processed, taken);
  await s.owner.query('UPDATE link SET enabled = true WHERE id = $1', [link]);
  await s.owner.query('UPDATE campaign SET expires_at = now() WHERE id = $1', [campaign.id]);
  await until('nothing is pending', async () => !('pending' in (await s.states())));
});
