import type { RoleName } from '@heliograph/contract/access/role-permissions';
import { HTTP_PRESETS } from '@heliograph/contract/links/http-presets';
import type pg from 'pg';
import { passwordContext } from '#modules/delivery';
import { hashPassword } from '#modules/identity';
import { countMargins } from '#modules/margins';
import { countDestinations } from '#modules/reports';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { createClient, createDatabase, createPool } from '../platform/database/db.ts';
import type { Logger } from '../platform/log.ts';
import { seal, secretKey } from '../platform/process/seal.ts';
import { seedCarrierCosts, seedTestNumbers } from './demo-carrier-costs.ts';
import { seedCarrierInvoices } from './demo-carrier-invoices.ts';
import { seedConfiguration } from './demo-configuration.ts';
import { seedContacts } from './demo-contacts.ts';
import { seedPastCampaign } from './demo-history.ts';
import { DEMO_LOGINS, DEMO_PASSWORD } from './demo-logins.ts';
import { seedReplies } from './demo-replies.ts';
import { seedRoutes } from './demo-routes.ts';
import {
  type DemoTenant,
  demoRecipients,
  seedCorporation,
  seedNumberList,
  seedPerson,
  seedPlans,
  seedReseller,
  seedTenant,
} from './demo-tenants.ts';
import { seedReference } from './reference.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS_OF_HISTORY = 7;
const FIRST_CUSTOMER = 639_170_001_000;
/** Milliseconds by which the demo's time zone is ahead of UTC: eight hours all the year. */
const AHEAD = 8 * HOUR;
/** Address of the simulator's virtual handsets, which accept binds with any name and password. */
const SIMULATOR = { name: 'Carrier simulator', host: '127.0.0.1', system_id: 'heliograph', password: 'lantern' };

const OFFERS = [
  ['Weekend sale', 'Hi {name}, this weekend everything in {param1} is 20% off. Show this message at the till.'],
  ['Points reminder', 'Hi {name}, you have {param2} points. Spend them at Acme Retail before the end of the month.'],
  [
    'New branch',
    'Good news for {param1}: a new Acme Retail opens near you on Monday. The first 100 guests get a gift.',
  ],
  ['Delivery notice', 'Hi {name}, orders placed before noon now reach {param1} the same day. Acme Retail'],
  ['Survey', 'Hi {name}, how was your last visit? Answer 1 to 5 and get 50 points. You have {param2} so far.'],
  ['Payday', 'Salamat, {name}! Payday specials in {param1} start today and end on Sunday. Acme Retail'],
  ['Thank you', 'Hi {name}, thank you for a year with Acme Retail. 100 points are on us: you now have {param2}.'],
] as const;

/**
 * Answers the time at which an offer was sent, `age` days before `latest`. For age 0 it is `latest` itself; for earlier
 * days the hour differs within the shops' opening time.
 */
function timeOfOffer(latest: number, age: number, place: number): number {
  if (age === 0) return latest;
  const midnight = Math.floor((latest + AHEAD) / DAY) * DAY - AHEAD;
  return midnight - age * DAY + (9 + ((place * 7) % 11)) * HOUR;
}

/**
 * Fills an empty database with the demo, all of it or nothing: tenants, people, senders, a list, funded accounts, and a
 * link to the simulator. It also adds a week of finished campaigns whose rows, counters and money agree.
 */
export async function seedDemo({ url, config, log }: { url: string; config: Config; log: Logger }): Promise<void> {
  const started = performance.now();
  const password_hash = await hashPassword(DEMO_PASSWORD);
  const client = createClient({ DATABASE_URL: url }, 'owner');
  await client.connect();
  try {
    await seedReference(client);
    await client.query('BEGIN');
    await client.query(
      "SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date - 8, (now() AT TIME ZONE 'UTC')::date + 7)",
    );
    await fill(client, config, password_hash);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
  await countPast(url);
  log.info({ milliseconds: Math.round(performance.now() - started) }, 'demo data added');
}

/**
 * Counts the past by country, link and network, and the margins of its days, as the worker would within the hour, and
 * compares the files of the carrier: the first look at the dashboard and the reports is complete.
 */
async function countPast(url: string): Promise<void> {
  const pool = createPool({ DATABASE_URL: url }, 'owner', { max: 1 });
  try {
    const worker = { database: createDatabase(pool), clock: systemClock };
    await countDestinations(worker, new AbortController().signal);
    await countMargins(worker, new AbortController().signal);
    await seedCarrierInvoices(worker.database, SIMULATOR.name);
  } finally {
    await pool.end();
  }
}

async function fill(client: pg.Client, config: Config, password_hash: string): Promise<void> {
  const now = Date.now();
  const paid_at = new Date(now - (DAYS_OF_HISTORY + 1) * DAY).toISOString();
  const tenants = await fillTenants(client, config, paid_at);
  const person = (email: string, name: string, role: RoleName, tenant?: DemoTenant, phone?: string) =>
    seedPerson(client, { email, name, role, password_hash, ...(tenant && { tenant }), ...(phone && { phone }) });
  const { northwind, acme, harbor, valley } = tenants;

  await person('superadmin@heliograph.test', 'Super administrator', 'super_admin');
  await person('admin@heliograph.test', 'Administrator', 'admin');
  await person('reseller@heliograph.test', 'Northwind reseller', 'reseller', northwind, '639170009001');
  const corporate = await person(
    'corporate@heliograph.test',
    'Acme corporate admin',
    'corporate_admin',
    acme,
    '639170009002',
  );
  const department = await person(
    'department@heliograph.test',
    'Acme marketing admin',
    'department_admin',
    acme,
    '639170009003',
  );
  const user = await person('user@heliograph.test', 'Acme marketing user', 'corporate_user', acme, '639170009004');
  const reader = await person('readonly@heliograph.test', 'Acme marketing reader', 'read_only_user', acme);
  const harborAdmin = await person('corporate@harbor.test', 'Blue Harbor corporate admin', 'corporate_admin', harbor);
  await person('user@harbor.test', 'Blue Harbor user', 'corporate_user', harbor);
  const valleyAdmin = await person('corporate@valley.test', 'Green Valley corporate admin', 'corporate_admin', valley);
  for (const id of [user, reader]) {
    await client.query('INSERT INTO user_supervisor (user_id, supervisor_id) VALUES ($1, $2)', [id, department]);
  }

  const [link, second] = await fillLinks(client, config);
  await seedCarrierCosts(client, link, second);
  await seedRoutes(client, [link, second]);
  await seedTestNumbers(client);
  const recipients = demoRecipients(FIRST_CUSTOMER, 500, 'Customer');
  await seedContacts(client, acme, recipients.slice(0, 60));
  const list_id = await seedNumberList(client, acme, { name: 'Loyalty customers', created_by: department, recipients });
  for (const [place, [name, text]] of OFFERS.entries()) {
    const age = DAYS_OF_HISTORY - 1 - place;
    await seedPastCampaign(client, acme, link, {
      name,
      text,
      at: timeOfOffer(now - 3 * HOUR, age, place),
      list_id,
      // A different part of the list each day, so that the days differ.
      recipients: recipients.slice(0, 300 + ((place * 83) % 200)),
      ...(place % 2 === 0 ? { created_by: user, approved_by: department } : { created_by: corporate }),
    });
  }
  for (const [tenant, created_by, first, noun, name, text] of [
    [
      harbor,
      harborAdmin,
      639_180_002_000,
      'Client',
      'Card notice',
      'Hi {name}, your new card is ready at our {param1} branch.',
    ],
    [
      valley,
      valleyAdmin,
      639_190_003_000,
      'Patient',
      'Clinic hours',
      'Hi {name}, the clinic in {param1} is open on Saturdays from now on.',
    ],
  ] as const) {
    const own = demoRecipients(first, 120, noun);
    const own_list = await seedNumberList(client, tenant, { name: `${noun}s`, created_by, recipients: own });
    await seedPastCampaign(client, tenant, link, {
      name,
      text,
      at: timeOfOffer(now - 5 * HOUR, 2, 3),
      list_id: own_list,
      recipients: own,
      created_by,
    });
  }
  await client.query("SELECT rebuild_traffic('-infinity', 'infinity')");
  await seedConfiguration(client, tenants);
  await seedReplies(client, acme, link, FIRST_CUSTOMER, now);
  await fillSettings(client);
}

async function fillTenants(client: pg.Client, config: Pick<Config, 'PORT'>, paid_at: string) {
  const reseller_id = await seedReseller(client, {
    name: 'Northwind Telecom',
    app_name: 'Northwind Messaging',
    // Names under localhost belong to this machine, so a browser here shows the reseller's own look.
    base_url: `http://northwind.localhost${config.PORT === 0 ? '' : `:${config.PORT}`}`,
    theme_color: '#0f766e',
  });
  const plans = await seedPlans(client, reseller_id);
  const acmeId = await seedCorporation(client, {
    name: 'Acme Retail',
    reseller_id,
    opt_out_message: 'Reply STOP to opt out',
  });
  const northwind = await seedTenant(client, reseller_id, {
    departments: ['Head office'],
    senders: ['Northwind'],
    account: { name: 'Northwind main', key: 'NW-1001' },
    plan: plans.wholesale,
    funds: 100_000_000,
    paid_at,
  });
  return {
    northwind,
    acme: await seedTenant(client, acmeId, {
      departments: ['Marketing', 'Operations'],
      senders: ['ACME', 'AcmeDeals'],
      account: { name: 'Acme main', key: 'AC-2001', credit_limit: 5_000_000, cost_warning_limit: 1_000_000 },
      plan: plans.retail,
      funds: 25_000_000,
      paid_at,
      reseller: northwind,
    }),
    harbor: await seedTenant(client, await seedCorporation(client, { name: 'Blue Harbor Bank' }), {
      departments: ['Cards'],
      senders: ['BlueHarbor'],
      account: { name: 'Blue Harbor main', key: 'BH-3001', credit_limit: 50_000_000 },
      plan: plans.business,
      funds: 10_000_000,
      paid_at,
    }),
    valley: await seedTenant(client, await seedCorporation(client, { name: 'Green Valley Clinic' }), {
      departments: ['Reception'],
      senders: ['GVClinic'],
      account: { name: 'Green Valley main', key: 'GV-4001' },
      plan: plans.standard,
      funds: 5_000_000,
      paid_at,
    }),
  };
}

/**
 * Adds links to the simulator: one for live traffic, and two that a person may enable, for test keys and over HTTP. Without
 * the link for them, messages of test keys go to virtual handsets. Returns the ids of the first and the last.
 */
async function fillLinks(client: pg.Client, config: Config): Promise<[number, number]> {
  const live = await fillLink(client, config, SIMULATOR.name, false);
  const tests = await fillLink(client, config, 'For test keys', true);
  await client.query('UPDATE link SET enabled = false WHERE id = $1', [tests]);
  const http = await fillLink(client, config, 'Carrier over HTTP', false);
  await overHttp(client, config, http);
  return [live, http];
}

/** Makes a link one over HTTP, to the simulator, and disables it. */
async function overHttp(client: pg.Client, config: Config, id: number): Promise<void> {
  const { mapping, long_messages, receipt_words } = HTTP_PRESETS.infobip;
  const port = config.SIMULATOR_HTTP_PORT || 2780;
  const http = { ...mapping, url: `http://${SIMULATOR.host}:${port}/carriers/infobip/sms/2/text/advanced` };
  await client.query(
    `UPDATE link SET protocol = 'http', http = $2, port = $3, long_messages = $4, receipt_words = $5, window_size = 10,
       id_rule = 'as_is', system_id = 'infobip', parameters = '{}', enabled = false WHERE id = $1`,
    [id, JSON.stringify(http), port, long_messages, receipt_words],
  );
}

async function fillLink(client: pg.Client, config: Config, name: string, forTests: boolean): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    'INSERT INTO link (name, host, port, system_id, for_tests) VALUES ($1, $2, $3, $4, $5) RETURNING id',
    // Port 0 means any free one, which is not known yet.
    [name, SIMULATOR.host, config.SIMULATOR_SMPP_PORT || 2775, SIMULATOR.system_id, forTests],
  );
  const { id } = rows[0]!;
  const sealed = seal(secretKey(config), SIMULATOR.password, passwordContext(id));
  // Names of parameters as carriers in India ask for them; nothing gives a value yet.
  const parameters = ['dlt_entity_id=0x1400:cstring', 'dlt_template_id=0x1401:cstring'];
  await client.query('UPDATE link SET password_sealed = $2, parameters = $3 WHERE id = $1', [id, sealed, parameters]);
  return id;
}

async function fillSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ username: string; role: string }>(
    `SELECT u.email AS username, r.name AS role FROM user_account u JOIN role r ON r.id = u.role_id
     WHERE u.email = ANY ($1) ORDER BY u.id`,
    [DEMO_LOGINS.map(({ email }) => email)],
  );
  const logins = JSON.stringify({ password: DEMO_PASSWORD, logins: rows });
  await client.query(
    `INSERT INTO global_configuration (key, name, value, description) VALUES
     ('demo', 'Demo', 'true', 'true shows the demo logins on the sign-in page.'),
     ('demo_logins', 'Demo logins', $1, 'The logins of the demo, as JSON: {"password": "…", "logins": [{"username": "…", "role": "…"}]}.')`,
    [logins],
  );
}
