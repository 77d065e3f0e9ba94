import { startSimulator } from '@heliograph/carrier-simulator';
import type pg from 'pg';
import { pay, reserve } from '#modules/billing';
import { optOut } from '#modules/contacts';
import { openChunkWriter, Sender, wakeSenders } from '#modules/delivery';
import { createLogger } from '#platform/log';
import { countDestinations } from '../../src/modules/reports/count-destinations.ts';
import { sendOwnText } from '../../src/processes/own-text.ts';
import type { ApiStage } from '../api/stage.ts';
import { Stage, UNIT_PRICE, until } from '../delivery/stage.ts';

/** Endings of numbers; by them the simulator decides the outcome of a message. */
const FATES = ['9901', '9901', '9901', '9902', '9903', '9904', '9905', '9910', '9913'];
const OPTED_OUT = '639175550000';
const NUMBERS = [...FATES.map((fate, i) => ({ msisdn: `6391700${i}${fate}` })), { msisdn: OPTED_OUT }];

/** Currencies of the corporations; the platform itself has pesos. */
const CURRENCIES = [
  ['Acme Retail', 'THB'],
  ['Northwind Telecom', 'USD'],
  ['Blue Harbor Bank', 'EUR'],
  ['Green Valley Clinic', 'NPR'],
] as const;
const CONTENT = { content_type: 'single', content: 'Hello', flash: false, sms_validity: 12 };

/** Sets the currency of a corporation whose money has moved, which the database refuses otherwise. */
export async function setCurrency(owner: Pick<pg.Pool, 'query'>, name: string, currency: string): Promise<void> {
  await owner.query('ALTER TABLE corporation DISABLE TRIGGER currency_stays');
  await owner.query('UPDATE corporation SET currency = $2 WHERE name = $1', [name, currency]);
  await owner.query('ALTER TABLE corporation ENABLE TRIGGER currency_stays');
}

/**
 * Makes traffic of three corporations with every outcome, by a real sender and the simulator; some of it waits or is on
 * its way. It has campaigns that run, are paused, were stopped and have expired, messages of a program, and the
 * platform's own. Returns the batch of the program.
 */
export async function makeEveryOutcome(t: ApiStage, closing: (() => Promise<unknown>)[]): Promise<string> {
  const { api, one } = t;
  const owner = api.database.pool('owner');
  const simulator = await startSimulator({ smppPort: 0, httpPort: null, settings: { receipt_delay_ms: 20 } });
  closing.push(() => simulator.stop());
  for (const [name, currency] of CURRENCIES) await setCurrency(owner, name, currency);
  await owner.query('UPDATE link SET enabled = false');
  // Routes of the demo name its links.
  await owner.query('DELETE FROM carrier_route');
  const s = new Stage(api.database, closing);
  await s.addLink({ port: simulator.smppPort, name: 'Every outcome' });
  for (const name of ['Acme Retail', 'Northwind Telecom', 'Blue Harbor Bank']) await campaignsOf(name);
  const key = (await t.makeKey()).key;
  const batch = await t.by(key)('POST', '/v1/batches', {
    from: t.acme.sender,
    text: 'Hello',
    recipients: ['9901', '9902', '9903', '9905', '9910'].map((fate, i) => ({ to: `6391711${i}${fate}` })),
  });
  if (batch.status !== 202) throw new Error(JSON.stringify(batch.body));
  const { id: user_id } = await one<{ id: number }>('SELECT min(id) AS id FROM user_account WHERE scope_level = 0');
  for (const msisdn of ['639172229901', '639172229903'])
    await api.database
      .db('worker')
      .transaction()
      .execute((db) =>
        sendOwnText(db, {
          msisdn,
          text: 'Your code is 123456',
          sender_id: 'Heliograph',
          user_id,
          expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        }),
      );
  const sender = new Sender(api.config, createLogger(api.config, 'sender', process.stderr));
  await sender.start();
  await until('nothing changes any more', async () => {
    const { open, moving } = await one<{ open: number; moving: number }>(
      `SELECT (SELECT count(*) FROM chunk k LEFT JOIN campaign c ON c.id = k.campaign_id
           WHERE k.state = 'open' AND k.link_id = $1 AND (c.id IS NULL OR c.name IN ('Runs', 'Expires'))) AS open,
         (SELECT count(*) FROM message_row m JOIN chunk k ON k.id = m.id >> 10
           WHERE k.link_id = $1 AND m.state = 'submitted' AND m.number !~ '99(05|10)$') AS moving`,
      [s.linkId],
    );
    return open === 0 && moving === 0;
  }).finally(() => sender.stop());
  await countDestinations(
    { database: api.database.db('worker'), clock: { now: () => new Date() } },
    new AbortController().signal,
  );
  return (batch.body as { id: string }).id;

  async function campaignsOf(name: string): Promise<void> {
    const tenant = await one<{ id: number; account: number; person: number; department: number }>(
      `SELECT c.id, (SELECT min(id) FROM billing_account WHERE corporation_id = c.id) AS account,
         (SELECT min(id) FROM user_account WHERE corporation_id = c.id) AS person FROM corporation c WHERE name = $1`,
      [name],
    );
    s.corporationId = tenant.id;
    s.accountId = tenant.account;
    s.userId = tenant.person;
    await pay(owner, {
      key: `every-${name}`,
      billing_account_id: s.accountId,
      corporation_id: s.corporationId,
      amount: 10_000_000,
    });
    await optOut(owner, { corporation_id: s.corporationId, number: OPTED_OUT, source: 'import', at: new Date() });
    const named = (id: number, as: string, state: string) =>
      owner.query('UPDATE campaign SET name = $2, state = $3, content = $4 WHERE id = $1', [id, as, state, CONTENT]);
    const parts = NUMBERS.map((to, i) => (i === 0 ? { ...to, text: 'x'.repeat(200), parts: 2 } : to));
    await named((await s.campaign(parts)).id, 'Runs', 'running');
    await named((await s.campaign(NUMBERS)).id, 'Waits', 'paused');
    await named((await s.campaign(NUMBERS, { expiresIn: '-1 minute' })).id, 'Expires', 'paused');
    const stopped = await s.campaign(NUMBERS);
    await named(stopped.id, 'Stopped', 'running');
    const { status } = await (await api.as('superadmin'))('POST', `/api/v1/campaigns/${stopped.id}/stop`, {});
    if (status !== 200) throw new Error(`not stopped: ${status}`);
    await s.transaction(async (client) => {
      const writer = openChunkWriter(client, s.shared());
      for (const { msisdn } of NUMBERS)
        await writer.add({ msisdn, name: null, text: null, unicode: false, parts: 1, unit_price: UNIT_PRICE });
      const { amount } = await writer.flush();
      const { accountId: billing_account_id, corporationId: corporation_id } = s;
      await reserve(client, { key: `loose-${name}`, billing_account_id, corporation_id, campaign_id: null, amount });
      await wakeSenders(client);
    });
  }
}
