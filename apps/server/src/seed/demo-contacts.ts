import type pg from 'pg';
import type { DemoRecipient, DemoTenant } from './demo-tenants.ts';

/** Fields of the demo's contacts, with their columns. */
const FIELDS = [
  {
    name: 'City',
    key: 'home_city',
    type: 'choice',
    choices: ['Manila', 'Cebu', 'Davao', 'Iloilo', 'Baguio'],
    slot: 'text_1',
  },
  { name: 'Points', key: 'loyalty_points', type: 'number', choices: [], slot: 'number_1' },
  { name: 'Member since', key: 'member_since', type: 'date', choices: [], slot: 'date_1' },
  { name: 'Gets the newsletter', key: 'gets_newsletter', type: 'yes_no', choices: [], slot: 'flag_1' },
] as const;

/** Adds fields to a corporation, and recipients of its lists as contacts with tags. */
export async function seedContacts(
  client: Pick<pg.ClientBase, 'query'>,
  { corporation_id }: DemoTenant,
  recipients: readonly DemoRecipient[],
): Promise<void> {
  for (const [place, { name, key, type, choices, slot }] of FIELDS.entries())
    await client.query(
      `INSERT INTO contact_field (corporation_id, name, key, type, choices, slot, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
      [corporation_id, name, key, type, [...choices], slot, place],
    );
  await client.query(
    `INSERT INTO contact (corporation_id, number, name, source, tags, text_1, number_1, date_1, flag_1)
     SELECT $1, number, name, 'import', CASE WHEN points::int > 700 THEN '{vip,loyalty}'::text[] ELSE '{loyalty}' END, city, points::int,
       date '2024-01-31' + place::int * 11, place % 3 > 0
     FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) WITH ORDINALITY AS r(number, name, city, points, place)`,
    [
      corporation_id,
      ...(['msisdn', 'name', 'city', 'points'] as const).map((of) => recipients.map((each) => each[of])),
    ],
  );
}
