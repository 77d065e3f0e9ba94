import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { clientOf, tokenOf } from './api-client.ts';
import type { House } from './house.ts';

/** Records that decide what may be sent: their first values, and a text field that two people change. */
const RULES = [
  { path: 'sending-hours', field: 'name', body: { name: 'Edited hours', start_time: '08:00', end_time: '20:00' } },
  { path: 'sending-limits', field: 'name', body: { name: 'Edited limit', messages: 1_000_000 } },
  { path: 'protected-names', field: 'name', body: { name: 'Edited Savings' } },
  { path: 'web-domains', field: 'domain', body: { domain: 'edited-lamps.com' } },
  { path: 'moderation-rules', field: 'name', body: { name: 'Edited rule', words: ['edited*words'] } },
  { path: 'sender-ids', field: 'purpose', body: { sender_id: 'Edited', purpose: 'Edited texts' } },
] as const;

const CONFLICT = 'Someone else changed this while you were editing';

/** Changes each record in a form while a colleague changes it by a call: the form tells of it and asks. */
export async function editRules(page: Page, house: House): Promise<void> {
  const colleague = clientOf(house, await tokenOf(house, 'superadmin'));
  const acme = await house.database.query("SELECT id::int FROM corporation WHERE name = 'Acme Retail'");
  const inAcme = { corporation_id: acme.rows[0].id };
  for (const { path, field, body } of RULES) {
    const tenants = path === 'sending-limits' || path === 'sender-ids' || path === 'web-domains';
    const made = await colleague('POST', `/api/v1/${path}`, { body: { ...body, ...(tenants && inAcme) } });
    assert.equal(made.status, 201, made.text);
    const record = `/api/v1/${path}/${made.body.data.id}`;
    const before = String(made.body.data[field]);
    const [mine, theirs] = [before.replace('dited', 'dited-mine'), before.replace('dited', 'dited-theirs')];
    const named = 'sender_id' in body ? body.sender_id : before;
    await page.goto(`${house.url}/${path}?search=${encodeURIComponent(named)}`);
    await page.getByRole('button', { name: `Actions for ${named}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    // Some forms are drawers, some are pages of their own.
    const input = page.locator(`[data-field=${field}]`);
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await input.fill(mine);
    const changed = await colleague('PATCH', record, { body: { [field]: theirs } });
    assert.equal(changed.status, 200, changed.text);
    await save.click();
    const asked = page.getByRole('alert').filter({ hasText: CONFLICT });
    await asked.getByRole('radio', { name: `Keep mine: ${mine}` }).waitFor();
    assert.equal((await colleague('GET', record)).body.data[field], theirs, `${path} is not overwritten in silence`);
    await asked.getByRole('radio', { name: `Use theirs: ${theirs}` }).check();
    assert.equal(await input.inputValue(), theirs);
    await asked.getByRole('radio', { name: `Keep mine: ${mine}` }).check();
    await save.click();
    await input.waitFor({ state: 'detached' });
    assert.equal((await colleague('GET', record)).body.data[field], mine, path);
    assert.equal((await colleague('DELETE', record)).status, 200);
  }
}
