import type { Operation } from '@heliograph/contract/kernel/operation';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { RESOURCES } from '@heliograph/contract/registry';
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
  callbacks: 'callback_endpoint',
  consents: 'consent_event',
  'assign-sender-ids': 'sender_id_assignment',
  languages: 'language_line',
  'sending-hours': 'sending_hours',
  numbers: 'number_list_number',
  users: 'user_account',
  'service-account-keys': 'api_key',
  'sign-in-policies': 'sign_in_policy',
  teams: 'reseller',
};

/** Returns the table of a resource: its name in the singular, as a rule. */
export const tableOf = (r: AnyResource): string => TABLES[r.name] ?? r.name.replaceAll('-', '_').replace(/s$/, '');

/** Returns the filters that are required to list a resource, with the resources that their ids refer to. */
function requiredFilters(r: AnyResource): [string, AnyResource][] {
  return Object.entries(shapeOf(r.filters))
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name]) => [name, resourceNamed(`${name.replace(/_id$/, '').replaceAll('_', '-')}s`)]);
}

/** Lists every record of a resource that a client sees. */
export async function listAll(client: Client, r: AnyResource): Promise<Record_[]> {
  let queries = [''];
  for (const [name, of] of requiredFilters(r)) {
    const ids = (await listAll(client, of)).map(({ id }) => id);
    queries = queries.flatMap((query) => ids.map((id) => `${query}&${name}=${id}`));
  }
  const records: Record_[] = [];
  // The newest come first, even if a list is longer than a page and has another order of its own.
  const newest = r.sort.includes('id') ? '&sort=-id' : '';
  for (const query of queries) {
    const { status, body } = await client('GET', `${r.list.path}?per_page=200${newest}${query}`);
    if (status !== 200) throw new Error(`${r.name}: ${status} ${JSON.stringify(body)}`);
    records.push(...(body as { data: Record_[] }).data);
  }
  return records;
}

/** Returns the kind of record that an id in a path names: `campaigns/quotes` for `/api/v1/campaigns/quotes/:id`. */
export const kindOfId = (o: Operation): string => /^\/api\/v1\/(.+?)\/:id/.exec(o.path)![1]!;

/** Names a call in a report. */
export const label = (o: Operation) => `${o.method} ${o.path}`;

/** Returns the path of a call of one record. */
export const pathOf = (o: Operation, id: number) => o.path.replace(':id', String(id));
