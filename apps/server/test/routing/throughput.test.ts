import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { logOf, until } from '../delivery/stage.ts';
import { routedStage, takenBy } from './routed-stage.ts';

const MOST = 60_000;

describe('throughput limits', { concurrency: true }, () => {
  test('a corporation and a sender ID keep to their throughput over all links', async (t) => {
    const r = await routedStage(t);
    const s = r.stage;
    const simulators = [await s.simulator(), await s.simulator()];
    const links = [];
    for (const [i, { smppPort }] of simulators.entries())
      links.push(await s.addLink({ name: `L${i}`, port: smppPort }));
    await r.route([[links[0]!, 1]]);
    await r.route([[links[1]!, 1]], { prefix: '63918' });
    await s.owner.query('UPDATE corporation SET throughput = 60 WHERE id = $1', [s.corporationId]);
    await s.owner.query(`INSERT INTO sender_id (corporation_id, sender_id, throughput) VALUES ($1, 'Slow', 20)`, [
      s.corporationId,
    ]);
    await r.campaign(1_500, '63917');
    await r.campaign(1_500, '63918', { sender_id: 'Slow' });
    const from = Date.now();
    await s.sender();
    const log = () => simulators.flatMap(logOf);
    await until('the two have sent for a while', () => log().length >= 200, MOST);
    assertKept(log(), 60, from);
    assertKept(
      log().filter((segment) => segment.from === 'Slow'),
      20,
      from,
    );
    await s.owner.query('UPDATE corporation SET throughput = NULL');
    await s.owner.query('UPDATE sender_id SET throughput = NULL');
    await until('all have left', () => simulators.flatMap(takenBy).length === 3_000, MOST);
  });

  test('two corporations share a link equally, whatever the size of their campaigns', async (t) => {
    const r = await routedStage(t);
    const s = r.stage;
    const simulator = await s.simulator();
    const link = await s.addLink({ port: simulator.smppPort, rate: 500 });
    await r.route([[link, 1]]);
    const other = await r.corporation('Other');
    await r.campaign(4_000, '63917');
    await r.campaign(1_000, '63918', other);
    await r.loose(600, '63927');
    await r.loose(30, '63928', other);
    await s.sender();
    await until('the smaller ones have left', () => takenBy(simulator).filter(isOther).length === 1_030, MOST);
    const order = takenBy(simulator);
    const place = (prefix: string) => order.findLastIndex((to) => to.startsWith(prefix));
    const until_ = (end: number, prefix: string) => order.slice(0, end).filter((to) => to.startsWith(prefix)).length;
    const big = until_(place('63918'), '63917');
    assert.ok(big >= 900 && big <= 1_300, `campaigns: ${big} of the larger beside 1,000 of the smaller`);
    const many = until_(place('63928'), '63927');
    assert.ok(many <= 100, `without campaigns: ${many} of the larger beside 30 of the smaller`);
    const bulk = order.slice(0, 600).filter((to) => /^6391[78]/.test(to)).length;
    assert.ok(bulk >= 20, `while urgent ones wait bulk gets a tenth: ${bulk} of 600`);
  });
});

const isOther = (to: string) => to.startsWith('63918') || to.startsWith('63928');

/** Checks that at no moment more had arrived than the rate allows since the beginning. A slow machine only delays. */
function assertKept(log: readonly { received_at: string }[], rate: number, from: number): void {
  const arrivals = log.map(({ received_at }) => Date.parse(received_at)).sort((a, b) => a - b);
  for (const [i, at] of arrivals.entries()) {
    const most = ((at - from + 1) * rate) / 1_000 + Math.max(1, rate / 10);
    assert.ok(i + 1 <= most + 1e-6, `${i + 1} after ${at - from} ms at ${rate} a second`);
  }
}
