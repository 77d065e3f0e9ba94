import type { RoleName } from '@heliograph/contract/access/role-permissions';
import { ROLE_LEVELS } from '@heliograph/contract/access/role-permissions';
import type pg from 'pg';
import { pay } from '#modules/billing';

type Client = Pick<pg.ClientBase, 'query'>;

/** Corporation of the demo with everything that its campaigns need. */
export interface DemoTenant {
  corporation_id: number;
  /** Department in which its people work. */
  department_id: number;
  billing_account_id: number;
  /** Price of one part, in thousandths. */
  unit_price: number;
  sender: { id: number; sender_id: string };
  /** Reseller that pays the platform for its messages. */
  reseller?: Pick<DemoTenant, 'corporation_id' | 'billing_account_id' | 'unit_price'>;
}

/** Inserts one row and answers its id. */
async function insert(client: Client, table: string, row: Record<string, unknown>): Promise<number> {
  const names = Object.keys(row);
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING id`,
    Object.values(row),
  );
  return rows[0]!.id;
}

/** Adds the plans of the platform and of its reseller. */
export async function seedPlans(client: Client, reseller: number) {
  const plan = async (
    name: string,
    type: string,
    default_charge: number,
    corporation_id: number | null,
    about: string,
  ) => ({
    id: await insert(client, 'price_plan', { name, type, default_charge, corporation_id, description: about }),
    default_charge,
  });
  const plans = {
    standard: await plan('Standard prepaid', 'prepaid_package', 500, null, 'One price for every network.'),
    business: await plan('Business postpaid', 'postpaid_special', 450, null, 'Paid at the end of the month.'),
    wholesale: await plan('Wholesale', 'prepaid_package', 300, null, 'What resellers pay for their customers.'),
    retail: await plan(
      'Northwind retail',
      'prepaid_package',
      600,
      reseller,
      'What customers of Northwind Telecom pay.',
    ),
  };
  for (const { id, default_charge } of Object.values(plans)) await seedRates(client, id, default_charge);
  return plans;
}

/** Prices abroad, as multiples of the price of a part at home. */
const ABROAD: readonly (readonly [prefix: string, times: number])[] = [
  ['1', 2],
  ['65', 3],
  ['81', 5],
  ['852', 4],
  ['85298', 4.5],
];

/** Adds a small card: home at the plan's own price, some countries more expensive, programs a tenth cheaper. */
async function seedRates(client: Client, price_plan_id: number, home: number): Promise<void> {
  const card = [['63', 1] as const, ...ABROAD];
  await client.query(
    `INSERT INTO rate (price_plan_id, rate_zone_id, prefix, charge, starts_on)
     SELECT $1, z.id, r.prefix, CASE z.name WHEN 'API' THEN r.charge * 9 / 10 ELSE r.charge END, '2020-01-01'
     FROM unnest($2::text[], $3::bigint[]) AS r (prefix, charge) CROSS JOIN rate_zone z WHERE z.built_in`,
    [price_plan_id, card.map(([prefix]) => prefix), card.map(([, times]) => home * times)],
  );
}

/** Adds only a corporation. */
export const seedCorporation = (
  client: Client,
  row: { name: string; is_reseller?: boolean; reseller_id?: number; opt_out_message?: string },
) => insert(client, 'corporation', row);

/** Adds a corporation that owns others, with its own look and address. */
export async function seedReseller(
  client: Client,
  { name, ...look }: { name: string; app_name: string; base_url: string; theme_color: string },
): Promise<number> {
  const corporation_id = await seedCorporation(client, { name, is_reseller: true });
  await insert(client, 'reseller', { corporation_id, decides_senders: true, ...look });
  return corporation_id;
}

/** Adds everything that a corporation needs to send: departments, sender IDs and an account with money on it. */
export async function seedTenant(
  client: Client,
  corporation_id: number,
  spec: {
    departments: readonly string[];
    senders: readonly string[];
    account: { name: string; key: string; credit_limit?: number; cost_warning_limit?: number };
    plan: { id: number; default_charge: number };
    /** Amount paid in, in thousandths. */
    funds: number;
    paid_at: string;
    reseller?: DemoTenant;
  },
): Promise<DemoTenant> {
  const departments: number[] = [];
  for (const name of spec.departments) departments.push(await insert(client, 'department', { corporation_id, name }));
  const senders: DemoTenant['sender'][] = [];
  for (const [place, sender_id] of spec.senders.entries()) {
    senders.push({
      id: await insert(client, 'sender_id', { corporation_id, sender_id, is_promotional: place === 0 }),
      sender_id,
    });
  }
  const account = { ...spec.account, corporation_id, price_plan_id: spec.plan.id, created_at: spec.paid_at };
  const billing_account_id = await insert(client, 'billing_account', account);
  await pay(client, {
    key: `payment ${billing_account_id} DEMO-1`,
    billing_account_id,
    corporation_id,
    amount: spec.funds,
    note: 'DEMO-1: opening payment',
    created_at: spec.paid_at,
  });
  return {
    corporation_id,
    department_id: departments[0]!,
    billing_account_id,
    unit_price: spec.plan.default_charge,
    sender: senders[0]!,
    ...(spec.reseller && { reseller: spec.reseller }),
  };
}

/** Adds a person with a role's level and place. */
export function seedPerson(
  client: Client,
  person: { email: string; name: string; role: RoleName; tenant?: DemoTenant; phone?: string; password_hash: string },
): Promise<number> {
  const level = ROLE_LEVELS[person.role];
  const { tenant } = person;
  return roleId(client, person.role).then((role_id) =>
    insert(client, 'user_account', {
      email: person.email,
      name: person.name,
      role_id,
      permission_template: person.role,
      scope_level: level,
      phone: person.phone ?? null,
      password_hash: person.password_hash,
      corporation_id: tenant?.corporation_id ?? null,
      department_id: tenant && level > 2 ? tenant.department_id : null,
      billing_account_id: tenant?.billing_account_id ?? null,
      activated_at: new Date().toISOString(),
    }),
  );
}

async function roleId(client: Client, role: RoleName): Promise<number> {
  const { rows } = await client.query<{ id: number }>('SELECT id FROM role WHERE name = $1', [role]);
  return rows[0]!.id;
}

/** Recipient of the demo. */
export interface DemoRecipient {
  msisdn: string;
  name: string;
  city: string;
  points: string;
}

const CITIES = ['Manila', 'Cebu', 'Davao', 'Iloilo', 'Baguio'];

/** Makes recipients with consecutive numbers; none is a magic number of the simulator. */
export const demoRecipients = (first: number, count: number, noun: string): DemoRecipient[] =>
  Array.from({ length: count }, (_, i) => ({
    msisdn: String(first + i),
    name: `${noun} ${String(i + 1).padStart(3, '0')}`,
    city: CITIES[i % CITIES.length]!,
    points: String(((i * 37) % 90) * 10 + 100),
  }));

/** Adds a shared list with a city and points as its parameters. */
export async function seedNumberList(
  client: Client,
  tenant: DemoTenant,
  list: { name: string; created_by: number; recipients: readonly DemoRecipient[] },
): Promise<number> {
  const { corporation_id, department_id } = tenant;
  const { name, created_by, recipients } = list;
  const row = { corporation_id, department_id, name, created_by, numbers_count: recipients.length };
  const id = await insert(client, 'number_list', row);
  await client.query(
    `INSERT INTO number_list_number (number_list_id, number, name, param1, param2)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])`,
    [id, ...(['msisdn', 'name', 'city', 'points'] as const).map((field) => recipients.map((each) => each[field]))],
  );
  return id;
}
