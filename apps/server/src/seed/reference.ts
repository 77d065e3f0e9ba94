import { PERMISSIONS, permissionsOf, ROLE_LEVELS, ROLES } from '@heliograph/contract/access/role-permissions';
import { settingOf } from '@heliograph/contract/kernel/operator-settings';
import { MENU_GROUPS } from '@heliograph/contract/kernel/screen-list';
import type pg from 'pg';
import { guide, seedDocumentation } from './documentation.ts';
import { seedLanguageLines } from './language-lines.ts';
import { seedNetworks } from './networks.ts';

/** Key, name and meaning of each setting that an installation has from the start. */
const NAMES: readonly (readonly [key: string, name: string, description: string])[] = [
  ['app_name', 'Application name', 'Shown in the top bar, in browser tabs and on the sign-in page.'],
  ['app_color', 'Theme color', 'The main colour of the console, as #rrggbb.'],
  ['currency', 'Currency', 'Currency shown to users without a corporation.'],
  ['timezone', 'Time zone', 'Time zone of people who belong to no corporation, as an IANA name.'],
  ['number_min', 'Minimum number length', 'Fewest digits of a phone number, including the country code.'],
  ['number_max', 'Maximum number length', 'Most digits of a phone number, including the country code. At most 15.'],
  ['number_start', 'Number prefix', 'First digits that every phone number must have.'],
  ['number_start_with_any_msisdn', 'Any prefix', 'true accepts numbers of any prefix.'],
  ['number_read_national', 'National numbers', 'true reads 0917… and 917… with the country code, as 63917….'],
  ['number_country_code', 'Country code', 'Country code that is added to national numbers.'],
  ['number_trunk_prefix', 'Trunk prefix', 'Digits before a national number that go when the country code is added.'],
  [
    'number_national_start',
    'Start of national numbers',
    'First digits of national numbers that are read without their trunk prefix too; empty reads none.',
  ],
  [
    'password_policy',
    'Password rule',
    'standard: 8 to 16 characters with a special character and a number. strong: 8 to 14 characters with a capital and a small letter besides.',
  ],
  ['password_max_length', 'Maximum password length', 'Raises the maximum length of the password rule. 0 keeps it.'],
  ['password_max_age_days', 'Password expiry (days)', 'Days after which a password must be changed. 0 means never.'],
  [
    'texts_kept_days',
    'Text retention (days)',
    'Days after which the texts of messages and replies are taken out, and the PDUs that carried them; at least 7, 0 for never.',
  ],
  [
    'messages_kept_days',
    'Message retention (days)',
    'Days after which messages are removed with everything recorded of them; statistics and ledger stay. At least 31, 0 for never.',
  ],
  [
    'log_kept_days',
    'Log detail retention (days)',
    'Days after which entries of the activity log lose their details; who did what, and the chain, stay. At least 31, 0 for never.',
  ],
  [
    'alarm_link_seconds',
    'Alarm: link down (s)',
    'Seconds for which a carrier link must be down before operators are notified, and up before they are notified of its return.',
  ],
  [
    'alarm_queue_seconds',
    'Alarm: messages wait (s)',
    'Seconds that a message may wait for its link before operators are notified. Bulk counts only if nothing leaves on the link.',
  ],
  [
    'alarm_mail_to',
    'Alarm: email to',
    'Email addresses that get alarms, separated by commas. Empty sends them to all administrators who may see carrier links.',
  ],
  [
    'alarm_url',
    'Alarm: address for events',
    'Address to which the events link.down, link.up, queue.delayed, queue.recovered, node.gone, node.back, disk.low, disk.recovered, quality.declined, quality.recovered, receipts.false, receipts.true, margin.negative and margin.recovered are posted as JSON. Empty posts none.',
  ],
  [
    'proof_from_amount',
    'Money that needs proof, from',
    'Transfers, payments and corrections from this amount on, in the currency of the account, need a fresh proof of who enters them. 0 for all.',
  ],
  [
    'undo_seconds',
    'Undo of sending (seconds)',
    'Seconds for which a large campaign waits after Send, so that its sender can undo it; up to 60, 0 for none.',
  ],
  [
    'undo_messages',
    'Undo from messages',
    'Campaigns of at least this many messages wait for an undo, and those above the warning limit of their account.',
  ],
  [
    'web_links',
    'Web addresses in texts',
    'off: not checked. shadow: only counted. enforced: texts with an address that is not allowed are refused. A corporation may have its own.',
  ],
  [
    'negative_margins',
    'Messages at a loss',
    'off: not checked. warn: operators see quotes and messages for which carriers take more than is paid. refuse: they are not accepted.',
  ],
  [
    'otp_sender_id',
    'Sender ID of sign-in codes',
    'Sender ID of texts with sign-in codes, up to 11 letters and digits.',
  ],
  [
    'senders_need_approval',
    'Sender IDs need approval',
    'true lets customers use a new sender ID only after it was approved. Protected names need it always.',
  ],
  [
    'senders_four_eyes',
    'Sender IDs: second person',
    'true refuses a decision about a sender ID by the person who requested it.',
  ],
  [
    'recoveries_four_eyes',
    'Recoveries: second person',
    'true removes a lost second factor only after two administrators have asked for it.',
  ],
  [
    'erasures_four_eyes',
    'Erasures: second person',
    'true lets an erasure begin only after another person has confirmed it.',
  ],
];

/**
 * Updates the data that every installation has: roles, permissions, the menu and the settings. Safe to repeat.
 * Decisions of an operator stay: values of settings, and which role holds which permission. A new permission or role
 * gets its default once, and the super admin always gets everything.
 */
export async function seedReference(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query('BEGIN');
  try {
    await seedRights(client);
    await seedMenu(client);
    await seedLanguageLines(client);
    await seedDocumentation(client, guide());
    await seedNetworks(client);
    await client.query(
      `INSERT INTO global_configuration (key, name, value, description) SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
       ON CONFLICT (key) DO UPDATE SET name = excluded.name, description = excluded.description`,
      [
        NAMES.map(([key]) => key),
        NAMES.map(([, name]) => name),
        NAMES.map(([key]) => settingOf(key)!.standard),
        NAMES.map(([, , description]) => description),
      ],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function seedRights(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const added = async (text: string, values: unknown[]) =>
    (await client.query<{ name: string }>(`${text} ON CONFLICT DO NOTHING RETURNING name`, values)).rows.map(
      ({ name }) => name,
    );
  const permissions = await added('INSERT INTO permission (name) SELECT unnest($1::text[])', [PERMISSIONS]);
  const roles = await added('INSERT INTO role (name, level) SELECT * FROM unnest($1::text[], $2::integer[])', [
    ROLES,
    ROLES.map((role) => ROLE_LEVELS[role]),
  ]);
  await client.query('UPDATE permission SET built_in = true WHERE name = ANY ($1) AND NOT built_in', [PERMISSIONS]);
  await client.query('UPDATE role SET built_in = true WHERE name = ANY ($1) AND NOT built_in', [ROLES]);
  const defaults = ROLES.flatMap((role) => permissionsOf(role).map((permission) => ({ role, permission })));
  const due = defaults.filter(
    ({ role, permission }) => role === 'super_admin' || roles.includes(role) || permissions.includes(permission),
  );
  await client.query(
    `INSERT INTO role_permission (role_id, permission_id)
     SELECT r.id, p.id FROM unnest($1::text[], $2::text[]) AS due (role, permission)
     JOIN role r ON r.name = due.role JOIN permission p ON p.name = due.permission ON CONFLICT DO NOTHING`,
    [due.map(({ role }) => role), due.map(({ permission }) => permission)],
  );
}

/**
 * Offers each entry once, at its first place. From then on place and titles are the operator's, and removed entries
 * stay removed; route and permission are the program's.
 */
async function seedMenu(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const offer = async (
    parent: number | null,
    position: number,
    key: string,
    entry: { title: string; path: string; permission: string | null },
  ): Promise<number | undefined> => {
    const { rows } = await client.query<{ id: number }>(
      `WITH kept AS (
         UPDATE menu SET url = $5, permission = $6 WHERE key = $3 RETURNING id
       ), offered AS (
         INSERT INTO menu_offered (key) VALUES ($3) ON CONFLICT DO NOTHING RETURNING key
       ), added AS (
         INSERT INTO menu (parent_id, position, key, title, url, permission)
         SELECT $1, $2, $3, $4, $5, $6 FROM offered WHERE NOT EXISTS (SELECT FROM kept)
         ON CONFLICT DO NOTHING RETURNING id
       )
       SELECT id FROM kept UNION ALL SELECT id FROM added`,
      [parent, position, key, entry.title, entry.path, entry.permission],
    );
    return rows[0]?.id;
  };
  for (const [place, { title, direct, screens }] of MENU_GROUPS.entries()) {
    if (direct) {
      await offer(null, place, title, { ...screens[0]!, title });
      continue;
    }
    const id = await offer(null, place, title, { title, path: '', permission: null });
    for (const [position, screen] of screens.entries()) {
      // If the operator removed a whole group, its new screens appear at the top level.
      await offer(id ?? null, position, `${title}/${screen.path}`, screen);
    }
  }
  // A permission belongs to the entry it opens, and so do the others of its area.
  await client.query(`UPDATE permission p SET menu_id = m.id FROM menu m
    WHERE p.menu_id IS NULL AND p.built_in AND m.permission LIKE '%-index' AND m.key IS NOT NULL
      AND p.name LIKE left(m.permission, -5) || '%'
      AND NOT EXISTS (SELECT FROM menu n WHERE n.permission LIKE '%-index' AND n.id <> m.id
        AND p.name LIKE left(n.permission, -5) || '%' AND length(n.permission) > length(m.permission))`);
}
