import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { writeInstallation } from '#modules/moving';
import { startTestApi } from '../test-api.ts';
import { applied, calls, planOf } from './moving-stage.ts';

const api = await startTestApi({ after });

/** An installation as an operator would write it, in an order of their own. */
const FILE = `
heliograph: 1
users:
  - email: ana@lumen.example
    name: Ana Reyes
    corporation: Lumen
    department: Lumen / Sales
    billing_account: Main
    role: corporate_user
    scope_level: 4
    password: \${ANA_PASSWORD}
carrier-routes:
  - name: Lumen to Globe
    corporation: Lumen
    prefix: 63917
    links:
      - { link: Globe West, position: 1, weight: 3 }
      - { link: Globe East, position: 1, weight: 1 }
links:
  - name: Globe West
    host: west.smsc.example
    port: 2775
    system_id: lumen
    password: \${GLOBE_PASSWORD}
    rate: 50
    enabled: false
  - name: Globe East
    host: east.smsc.example
    port: 2775
    system_id: lumen
    enabled: false
billing-accounts:
  - { corporation: Lumen, name: Main, key: 00123, price_plan: Lumen prices }
price-plans:
  - { corporation: Beacon, name: Lumen prices, type: prepaid_package, default_charge: 0.50 }
rates:
  - { price_plan: Lumen prices, rate_zone: API, prefix: 63917, charge: 0.35, starts_on: 2027-01-01 }
corporations:
  - { name: Lumen, reseller: Beacon, timezone: Asia/Manila }
  - name: Beacon
resellers:
  - { corporation: Beacon, app_name: Beacon SMS }
departments:
  - { corporation: Lumen, name: Sales }
sender-ids:
  - { corporation: Lumen, sender_id: LUMEN }
assign-sender-ids:
  - { corporation: Lumen, department: Sales, sender_id: LUMEN }
roles:
  - name: Night desk
    level: 1
    permissions: [links-index, links-show]
routings:
  - { corporation: Lumen, number: 2345, keyword: INFO, action: inbox, valid_reply_message: Open daily, sender_id: LUMEN }
service-accounts:
  - corporation: Lumen
    name: Shop
    contact_email: it@lumen.example
    doors: [kannel]
service-account-keys:
  - { service_account: Shop, name: First }
`;
const SECRETS = { ANA_PASSWORD: 'Lantern#41', GLOBE_PASSWORD: 'first' };

test('an exported installation applied to itself changes nothing', async () => {
  await calls(api, async (each) => {
    const plan = await planOf(each, await writeInstallation(each));
    assert.deepEqual(plan.faults, []);
    assert.deepEqual(
      plan.lines.filter((line) => /^[+~]/.test(line)),
      [],
    );
  });
});

test('a file in any order is created in the order of its references, once', async () => {
  await calls(api, async (each) => {
    const first = await applied(each, FILE, SECRETS);
    console.log(first.done);
    const again = await planOf(each, FILE, SECRETS);
    assert.deepEqual(again.faults, []);
    assert.deepEqual(
      again.lines.filter((line) => /^[+~]/.test(line)),
      [],
    );
  });
});
