import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { demoApi } from './demo-api.ts';

const { database, folder, as } = await demoApi();
const owner = database.pool('owner');
const steps = (body: { data: unknown }) =>
  Object.fromEntries(
    (body.data as { steps: { step: string; done: boolean; may: boolean }[] }).steps.map(({ step, done, may }) => [
      step,
      [done, may],
    ]),
  );
type State = {
  data: {
    balance: string | null;
    helper: string;
    waiting_sender: { id: number; sender_id: string; by: string } | null;
    asked_at: string | null;
    steps: object[];
  } | null;
};

test('the checklist follows the account, asks its seller once a day, and ends', async () => {
  const reseller = await as('reseller@heliograph.test');
  const added = await reseller('POST', 'corporations', { name: 'Corner Shop' });
  const id = added.body.data.id;
  await owner.query(
    `UPDATE user_account SET corporation_id = $1, department_id = NULL, billing_account_id = NULL
    WHERE email = 'corporate@heliograph.test'`,
    [id],
  );
  const corporate = await as('corporate@heliograph.test');
  const read = async () => (await corporate<State>('GET', 'first-run')).body;
  const empty = await read();
  assert.deepEqual(steps(empty), {
    company: [true, true],
    sender: [false, true],
    credit: [false, false],
    contacts: [false, true],
    test: [false, true],
    campaign: [false, true],
  });
  assert.equal(empty.data?.balance, null, 'there is no account yet');
  const approvals = (value: string) =>
    owner.query("UPDATE global_configuration SET value = $1 WHERE key = 'senders_need_approval'", [value]);
  await approvals('true');
  const asked = await corporate('POST', 'sender-ids', { corporation_id: id, sender_id: 'CORNER' });
  const waiting = await read();
  assert.deepEqual(steps(waiting)['sender'], [false, true]);
  const sender = asked.body.data.id;
  assert.deepEqual(waiting.data?.waiting_sender, { id: sender, sender_id: 'CORNER', by: waiting.data?.helper });
  await owner.query('UPDATE reseller SET decides_senders = false');
  assert.equal((await read()).data?.waiting_sender?.by, 'Heliograph', 'the reseller may not decide');
  await owner.query("UPDATE sender_id SET state = 'approved' WHERE id = $1", [sender]);
  const approved = await read();
  assert.deepEqual([steps(approved)['sender'], approved.data?.waiting_sender], [[true, true], null]);
  await approvals('false');

  const mailbox = join(folder, 'mail');
  const mails = () => (existsSync(mailbox) ? readdirSync(mailbox).filter((name) => name.endsWith('.eml')) : []);
  assert.equal((await corporate('POST', 'first-run/credit-requests')).status, 200);
  await until('the seller has a mail', () => mails().length > 0);
  assert.match(readFileSync(join(mailbox, mails()[0]!), 'utf8'), /^To: reseller@heliograph\.test/m);
  const sent = mails().length;
  assert.equal((await corporate('POST', 'first-run/credit-requests')).status, 200);
  assert.notEqual((await read()).data?.asked_at, null);
  assert.equal(mails().length, sent, 'a second request on the same day sends nothing');

  assert.equal((await corporate('POST', 'first-run/dismiss')).status, 200);
  assert.equal((await read()).data, null);
  assert.equal((await (await as('admin@heliograph.test'))<State>('GET', 'first-run')).body.data, null);
});
