import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reconcile } from '#modules/billing';
import { openChunkWriter } from '#modules/delivery';
import { holdAfterRestore, holdOf, releaseHold } from '#modules/operate';
import { numbers, stage, until } from '../delivery/stage.ts';

const UNTIL = '2026-01-31T08:00:00.000Z';

test('after a restore no work continues by itself that may already have been done', async (t) => {
  const on = await stage(t);
  await on.addLink({ port: 1 });
  const campaignIn = async (set: string) => {
    const { id } = await on.campaign(numbers(3));
    await on.owner.query(`UPDATE campaign SET ${set} WHERE id = $1`, [id]);
    return id;
  };
  const content = `content = '{"sms_validity": 12}', schedule = '{"start": null, "end": null, "spread_minutes": null, "canary": null, "quiet": null, "repeat": null}'`;
  const running = await campaignIn("state = 'running'");
  const due = await campaignIn(`state = 'scheduled', starts_at = now() - interval '1 minute', ${content}`);
  const later = await campaignIn(`state = 'scheduled', starts_at = now() + interval '1 day', ${content}`);
  const blackout = await campaignIn(
    "state = 'paused', pause_reason = 'blackout', resumes_at = now() + interval '1 second'",
  );
  const canary = await campaignIn("state = 'paused', pause_reason = 'canary', canary_state = 'failed'");
  const done = await campaignIn("state = 'completed'");
  const preparing = await campaignIn(`state = 'preparing', estimated_cost = 1050, ${content}`);
  await on.owner.query('DELETE FROM message WHERE campaign_id = $1', [preparing]);
  await on.owner.query('DELETE FROM chunk WHERE campaign_id = $1', [preparing]);
  // A retry that was still to come, and a code that was handed over without an answer.
  await on.owner.query(
    `INSERT INTO retry (message_id, part, corporation_id, link_id, class, tries, not_before, command_status, reference)
     SELECT id, 1, corporation_id, $2, 'bulk', 1, now(), 88, 0 FROM message WHERE campaign_id = $1 LIMIT 1`,
    [done, on.linkId],
  );
  await on.owner.query("UPDATE chunk SET class = 'otp', cursor = size, state = 'done' WHERE campaign_id = $1", [done]);

  const hold = () => holdAfterRestore(on.owner, { until: UNTIL, now: new Date(), jobs: [] });
  const held = await hold();
  assert.deepEqual(held.paused, [running, due, blackout, canary]);
  assert.deepEqual(held.stopped, [preparing]);
  assert.equal(held.tries_forgotten, 1);
  const { rows } = await on.owner.query('SELECT id, state, pause_reason FROM campaign ORDER BY id');
  const paused = (id: number, pause_reason = 'person') => ({ id, state: 'paused', pause_reason });
  const other = (id: number, state: string) => ({ id, state, pause_reason: null });
  assert.deepEqual(rows, [
    paused(running),
    paused(due),
    other(later, 'scheduled'),
    paused(blackout),
    paused(canary, 'canary'),
    other(done, 'completed'),
    other(preparing, 'stopped'),
  ]);
  const said = await on.owner.query(
    'SELECT DISTINCT campaign_id, reason, note FROM campaign_transition WHERE note IS NOT NULL',
  );
  assert.equal(said.rowCount, 5);
  assert.deepEqual(
    new Set(said.rows.map((row) => `${row['reason']}: ${row['note']}`)),
    new Set([`restored: The database was put back to ${UNTIL}.`]),
  );
  const { open } = await on.one<{ open: number }>(
    "SELECT count(*) AS open FROM chunk WHERE class = 'otp' AND coalesce(expires_at > now(), true)",
  );
  assert.equal(open, 0, 'no code gets its second try');

  assert.deepEqual((await hold()).tries_forgotten, 0);
  assert.equal((await holdOf(on.owner))?.until, UNTIL);
  await releaseHold(on.owner, false);
  await assert.rejects(releaseHold(on.owner, false), /Nothing is on hold/);
});

test('held messages outside campaigns are sent on request, and expire otherwise', async (t) => {
  for (const send of [true, false]) {
    const on = await stage(t);
    const simulator = await on.simulator();
    await on.addLink({ port: simulator.smppPort });
    await on.transaction(async (client) => {
      const shared = on.shared({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
      const message = { msisdn: '639170000001', name: null, text: null, unicode: false, parts: 1, unit_price: 0 };
      for (const not_before of [null, new Date(Date.now() + 86_400_000).toISOString()]) {
        const writer = openChunkWriter(client, { ...shared, not_before });
        await writer.add(message);
        await writer.flush();
      }
    });
    const held = await holdAfterRestore(on.owner, { until: UNTIL, now: new Date(), jobs: [] });
    assert.equal(held.messages, 1, 'what is planned for tomorrow has not left');
    await on.sender();
    await releaseHold(on.owner, send);
    await until('it is decided', async () => {
      const states = await on.states();
      return send ? states['delivered'] === 1 : states['expired'] === 1;
    });
    assert.deepEqual(await on.states(), send ? { delivered: 1, pending: 1 } : { expired: 1, pending: 1 });
    assert.deepEqual(await reconcile(on.owner), []);
  }
});
