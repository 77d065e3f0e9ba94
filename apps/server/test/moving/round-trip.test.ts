import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { StepRefused, writeInstallation } from '#modules/moving';
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

const changesOf = (lines: readonly string[]) => lines.filter((line) => /^[+~]|→/.test(line));

test('a file in any order is created in the order of its references, once', async () => {
  await calls(api, async (each) => {
    const { done } = await applied(each, FILE, SECRETS);
    assert.equal(done.length, 17);
    const place = (step: string) => done.indexOf(`create ${step}`);
    const order = ['corporations Beacon', 'resellers Beacon', 'corporations Beacon / Lumen', 'users ana@lumen.example'];
    assert.deepEqual(
      order.map(place),
      order.map(place).toSorted((a, b) => a - b),
    );
    assert.ok(place('links Globe West') < place('carrier-routes Lumen to Globe'));
    const again = await planOf(each, FILE, SECRETS);
    assert.deepEqual([again.faults, changesOf(again.lines)], [[], []]);
  });
});

test('only declared fields change, each shown as it is and as it will be', async () => {
  const changed = `
heliograph: 1
links:
  - { name: Globe West, rate: 75, password: "\${GLOBE_PASSWORD}" }
carrier-routes:
  - name: Lumen to Globe
    links: [{ link: Globe East, position: 1, weight: 1 }]
roles:
  - { name: Night desk, permissions: [links-show, links-edit] }
`;
  await calls(api, async (each) => {
    const plan = await planOf(each, changed, SECRETS);
    assert.deepEqual(plan.faults, []);
    const lines = plan.lines.join('\n');
    assert.match(lines, /^~ links "Globe West"\n {4}rate: 50 → 75$/m);
    assert.match(lines, /links "Globe West" keeps its password; --set-secrets sets it again/);
    assert.match(lines, /links: \d+ more exist and stay as they are/);
    await applied(each, changed, SECRETS);
    assert.deepEqual(changesOf((await planOf(each, changed, SECRETS)).lines), []);
    const { rows } = await api.database.pool('owner').query("SELECT rate, port FROM link WHERE name = 'Globe West'");
    assert.deepEqual(rows, [{ rate: 75, port: 2775 }]);
    const again = await planOf(each, changed, SECRETS, true);
    assert.match(again.lines.join('\n'), /password: \(set\)/);
  });
});

test('a secret that is not given is left alone, and a new record asks for it', async () => {
  const file = (name: string) =>
    `heliograph: 1\nlinks:\n  - { name: ${name}, host: a.example, port: 1, system_id: a, password: ask }\n`;
  await calls(api, async (each) => {
    const { faults } = await planOf(each, file('Smart'));
    assert.match(faults.join(), /^3 links\[1\]\.password: The value is missing: write the value as \$\{NAME\}/);
    assert.deepEqual((await planOf(each, file('Globe West'))).faults, []);
  });
});

test('faults name the line, the key and the fix, and none is applied', async () => {
  const cases: [string, RegExp][] = [
    ['links:\n  - { name: A, host: a, port: 70000, system_id: a }', /^3 links\[1\]\.port: .*65,?535/],
    ['links:\n  - { name: A, host: a, system_id: a }', /^3 links\[1\]\.port: Add "port": a new record needs it/],
    ['departments:\n  - { corporation: Acme Retial, name: X }', /Do you mean "Acme Retail"\?/],
    ['departments:\n  - { name: X }', /Add "corporation": it is part of what finds the record/],
    ['links:\n  - &a { name: A, host: a, port: 1, system_id: a }\n  - *a', /declared twice: also in line 3/],
    ['sender-ids:\n  - { corporation: Acme Retail, sender_id: ACME, throughput: fast }', /throughput: /],
    [
      'corporations:\n  - { name: Lumen, timezone: Asia/Tokyo }',
      /"Lumen" of "Beacon" exists: write "reseller: Beacon" for it/,
    ],
    ['links: { name: A }', /Write a list/],
    ['links: [', /This is not YAML/],
  ];
  await calls(api, async (each) => {
    for (const [text, words] of cases) {
      const { faults } = await planOf(each, `heliograph: 1\n${text}\n`);
      assert.match(faults.join('\n'), words, text);
    }
  });
  assert.match((await calls(api, (each) => planOf(each, 'links: []'))).faults.join(), /Write "heliograph: 1"/);
});

test('what a rule of the console refuses stops there, and the same file continues', async () => {
  const file = `
heliograph: 1
corporations: [{ name: Tarsier }]
routings: [{ corporation: Tarsier, number: 7890, keyword: INFO, action: url }]
departments: [{ corporation: Tarsier, name: Desk }]
`;
  await calls(api, async (each) => {
    await assert.rejects(applied(each, file), StepRefused);
    const right = file.replace('action: url', 'action: inbox');
    const { done } = await applied(each, right);
    assert.ok(!done.includes('create corporations Tarsier'), done.join());
    assert.deepEqual(changesOf((await planOf(each, right)).lines), []);
  });
});
