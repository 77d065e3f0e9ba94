import type pg from 'pg';
import type { DemoTenant } from './demo-tenants.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** Adds the settings of the demo's tenants, and the operator's settings for all. */
export async function seedConfiguration(client: Client, tenants: Record<'acme' | 'harbor' | 'valley', DemoTenant>) {
  // Visitors of the demo add a sender ID and send immediately. The settings switch approvals on.
  await client.query("UPDATE global_configuration SET value = 'false' WHERE key = 'senders_need_approval'");
  const { acme, harbor, valley } = tenants;
  for (const [tenant, number, mask] of [
    [acme, '639170009901', acme.sender.id],
    [acme, '639170009902', null],
    [harbor, '639180009903', null],
    [valley, '639190009904', null],
  ] as const)
    await client.query('INSERT INTO blacklist_number (corporation_id, number, sender_id_id) VALUES ($1, $2, $3)', [
      tenant.corporation_id,
      number,
      mask,
    ]);
  await client.query(
    `INSERT INTO exchange_rate (from_currency, to_currency, day, digits, scale, source)
     VALUES ('USD', 'PHP', current_date - 60, 5725, 2, 'BSP'), ('USD', 'PHP', current_date - 7, 5768, 2, 'BSP'),
       ('EUR', 'PHP', current_date - 60, 621875, 4, 'BSP')`,
  );
  await client.query("INSERT INTO blacklist_text (text) VALUES ('guaranteed winner'), ('send your PIN')");
  await client.query(
    `INSERT INTO blackout_time (corporation_id, start_time, end_time, enabled)
     VALUES ($1, '00:00', '05:00', false), ($2, '22:00', '06:00', true)`,
    [harbor.corporation_id, valley.corporation_id],
  );
  for (const [tenant, name, template] of [
    [acme, 'Sale', 'Hi {name}, this weekend everything in {param1} is 20% off.'],
    [acme, 'Points', 'Hi {name}, you have {param2} points. Spend them before the end of the month.'],
    [harbor, 'Card ready', 'Hi {name}, your new card is ready at our {param1} branch.'],
    [valley, 'Appointment', 'Hi {name}, we expect you on {param1}. Call us if you can not come.'],
  ] as const)
    await client.query(
      'INSERT INTO message_template (corporation_id, department_id, name, template) VALUES ($1, $2, $3, $4)',
      [tenant.corporation_id, tenant.department_id, name, template],
    );
  for (const [tenant, word, aliases] of [
    [acme, 'SALE', ['OFFER', 'OFFERS', 'PROMO']],
    [harbor, 'CARD', ['CARDS', 'DEBIT']],
    [valley, 'BOOK', ['APPOINTMENT', 'VISIT']],
  ] as const)
    await client.query('INSERT INTO alias (corporation_id, word, aliases) VALUES ($1, $2, $3)', [
      tenant.corporation_id,
      word,
      aliases,
    ]);
  for (const [keyword, campaign, replies, valid, invalid] of [
    [
      'SALE',
      'Weekend sale',
      ['YES', 'NO'],
      'Thank you! See you at Acme Retail this weekend.',
      'Please reply SALE YES or SALE NO.',
    ],
    [null, null, [], null, null],
  ] as const)
    await client.query(
      `INSERT INTO routing (corporation_id, number, keyword, action, campaign_name, valid_replies, valid_reply_message, invalid_reply_message)
       VALUES ($1, '2929', $2, 'inbox', $3, $4, $5, $6)`,
      [acme.corporation_id, keyword, campaign, replies, valid, invalid],
    );
  for (const { corporation_id, department_id, sender } of [harbor, valley])
    await client.query(
      'INSERT INTO sender_id_assignment (corporation_id, department_id, sender_id_id) VALUES ($1, $2, $3)',
      [corporation_id, department_id, sender.id],
    );
}
