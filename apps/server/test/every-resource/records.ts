import type { Operation } from '@heliograph/contract/kernel/operation';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { ALL_OPERATIONS, RESOURCES } from '@heliograph/contract/registry';
import type pg from 'pg';
import type { Client } from '../test-api.ts';
import { shapeOf } from './sample.ts';

export type Record_ = { id: number } & Record<string, unknown>;

export const resourceNamed = (name: string): AnyResource => {
  const found = RESOURCES.find((r) => r.name === name);
  if (!found) throw new Error(`no resource ${name}`);
  return found;
};

/** Tables that are not named after their resource. */
const TABLES: Readonly<Record<string, string>> = {
  aliases: 'alias',
  'assign-sender-ids': 'sender_id_assignment',
  languages: 'language_line',
  numbers: 'number_list_number',
  users: 'user_account',
  teams: 'reseller',
};

/** The table of a resource: its name in the singular, as a rule. */
export const tableOf = (r: AnyResource): string => TABLES[r.name] ?? r.name.replaceAll('-', '_').replace(/s$/, '');

/** The filters without which a resource cannot be listed, and the resources whose ids they are. */
function requiredFilters(r: AnyResource): [string, AnyResource][] {
  return Object.entries(shapeOf(r.filters))
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name]) => [name, resourceNamed(`${name.replace(/_id$/, '').replaceAll('_', '-')}s`)]);
}

/** Every record of a resource that a client lists. */
export async function listAll(client: Client, r: AnyResource): Promise<Record_[]> {
  let queries = [''];
  for (const [name, of] of requiredFilters(r)) {
    const ids = (await listAll(client, of)).map(({ id }) => id);
    queries = queries.flatMap((query) => ids.map((id) => `${query}&${name}=${id}`));
  }
  const records: Record_[] = [];
  for (const query of queries) {
    const { status, body } = await client('GET', `${r.list.path}?per_page=200${query}`);
    if (status !== 200) throw new Error(`${r.name}: ${status} ${JSON.stringify(body)}`);
    records.push(...(body as { data: Record_[] }).data);
  }
  return records;
}

/** Calls beside a resource's five that name a record by its id. */
export const idOperations: readonly Operation[] = ALL_OPERATIONS.filter((o) => o.path.includes('/:id'));

/** What an id in a path is the id of: `campaigns/quotes` of `/api/v1/campaigns/quotes/:id`. */
export const kindOfId = (o: Operation): string => /^\/api\/v1\/(.+?)\/:id/.exec(o.path)![1]!;

/** Makes sure that Blue Harbor Bank has a record of every kind that no resource lists, and answers their ids. */
export async function harborRecords(owner: pg.Pool): Promise<Record<string, number>> {
  const one = async (text: string) => (await owner.query<{ id: number }>(text)).rows[0]!.id;
  const person = `SELECT u.*, c.id AS corporation, (SELECT min(id) FROM department WHERE corporation_id = c.id) AS department,
    (SELECT min(id) FROM billing_account WHERE corporation_id = c.id) AS account
    FROM user_account u JOIN corporation c ON c.id = u.corporation_id WHERE u.email = 'corporate@harbor.test'`;
  const download = await one(`INSERT INTO download (corporation_id, user_id, kind, parameters, download_file, state)
    SELECT corporation, id, 'transactions', '{}', 'x.csv', 'done' FROM (${person}) u RETURNING id`);
  return {
    campaigns: await one(
      `SELECT min(c.id) AS id FROM campaign c JOIN (${person}) u ON u.corporation = c.corporation_id`,
    ),
    messages: await one(`SELECT min(m.id) AS id FROM message m JOIN (${person}) u ON u.corporation = m.corporation_id`),
    'campaigns/quotes':
      await one(`INSERT INTO quote (corporation_id, department_id, user_id, billing_account_id, content, state)
      SELECT corporation, department, id, account, '{}', 'ready' FROM (${person}) u RETURNING id`),
    imports:
      await one(`INSERT INTO import (corporation_id, number_list_id, user_id, file_name, file_path, file_sha256, bytes_total)
      SELECT corporation, (SELECT min(id) FROM number_list WHERE corporation_id = corporation), id, 'x.csv', 'x', 'x', 1
      FROM (${person}) u RETURNING id`),
    'bulk-uploads':
      await one(`INSERT INTO bulk_upload (corporation_id, user_id, kind, parameters, file_name, file_path, file_sha256,
      bytes_total, error_path) SELECT corporation, id, 'blacklist-numbers', '{}', 'x.csv', 'x', 'x', 1, 'x'
      FROM (${person}) u RETURNING id`),
    teams:
      await one(`WITH c AS (INSERT INTO corporation (name, is_reseller) VALUES ('Southwind Telecom', true) RETURNING id)
      INSERT INTO reseller (corporation_id, app_name) SELECT id, 'Southwind' FROM c RETURNING id`),
    'queue-download-unread-file': download,
    downloads: download,
    'credit-changes': await one(
      `SELECT min(t.id) AS id FROM credit_change t JOIN (${person}) u ON u.corporation = t.corporation_id`,
    ),
    statements:
      await one(`INSERT INTO statement (corporation_id, billing_account_id, month, timezone, currency, starts_at,
      ends_at, opening_balance, payments, charges, refunds, commitment, corrections, closing_balance)
      SELECT corporation, account, '2020-01-01', 'UTC', 'PHP', '2020-01-01', '2020-02-01', 0, 0, 0, 0, 0, 0, 0
      FROM (${person}) u RETURNING id`),
    'card-uploads':
      await one(`INSERT INTO card_upload (price_plan_id, user_id, state, file_name, file_path, file_sha256, error_path)
      SELECT (SELECT price_plan_id FROM billing_account WHERE id = account), id, 'ready', 'x.csv', 'x', 'x', 'x'
      FROM (${person}) u RETURNING id`),
    'give-permissions': await one(`SELECT id FROM (${person}) u`),
  };
}
