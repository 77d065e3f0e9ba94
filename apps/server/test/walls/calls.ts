import type { Operation } from '@heliograph/contract/kernel/operation';
import { RESOURCES } from '@heliograph/contract/registry';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import { tableOf } from '../every-resource/records.ts';
import { type Fields, sampleBody, sampleValue, shapeOf } from '../every-resource/sample.ts';
import type { Answer } from '../test-api.ts';
import { idFields, tableOfPath } from './classification.ts';
import { api, clients, names, owner } from './places.ts';

// A complete call by a person: it names the person's own records wherever it needs a record.

/** Returns the path of a call with `id` in it, and sample values for its other parameters. */
export const pathOf = (o: Operation, id: number) =>
  o.path.replace(/:(\w+)/g, (_, name: string) => String(name === 'id' ? id : sampleValue(shapeOf(o.params)[name]!)));

/** Returns an answer as text, without the values that differ at every call. */
export function plain({ status, body }: Answer): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const same = text
    .replace(/"request_id":"\w+"/g, '')
    .replace(/expires=\d+&signature=[\w-]+/g, '')
    .replace(/%PDF.*/s, 'a document')
    .replace(/"(since|state_since|downloaded_at)":"[^"]+"/g, '')
    .replace(/"from":"[^"]+T[^"]+"/g, '');
  return `${status} ${same}`;
}

const today = new Date();
const day = (back: number) => new Date(today.getTime() - back * 86_400_000).toISOString().slice(0, 10);
/** Values of query fields that no sample matches. */
const QUERY: Readonly<Record<string, string>> = { from: day(7), to: day(0), number: '639170001234' };

/** Ids of the rows that a person sees, the newest first, by person and table. */
const own = new Map<string, Map<string, number[]>>();
export async function ownIds(login: string, table: string): Promise<number[]> {
  const known = own.get(login) ?? new Map<string, number[]>();
  own.set(login, known);
  if (!known.has(table)) {
    const { rows } = await owner.query(`SELECT u.id, u.scope_level, u.department_id, u.corporation_id,
      ARRAY(SELECT c.id FROM corporation c WHERE c.id = u.corporation_id OR (u.scope_level = 2 AND c.reseller_id = u.corporation_id)) AS corporations
      FROM user_account u WHERE email = '${login}@heliograph.test'`);
    const person = rows[0];
    const client = await api.database.pool('api').connect();
    try {
      await client.query('BEGIN');
      await client.query(
        `SELECT set_config('app.level', $1, true), set_config('app.corporations', $2, true),
          set_config('app.department', $3, true), set_config('app.user', $4, true)`,
        [
          String(person.scope_level),
          `{${person.corporations.join()}}`,
          person.scope_level > 2 ? String(person.department_id) : '',
          String(person.id),
        ],
      );
      const found = await client.query<{ id: number }>(
        `SELECT id FROM ${table} WHERE id <> ${person.id} OR '${table}' <> 'user_account' ORDER BY id DESC LIMIT 1`,
      );
      known.set(
        table,
        found.rows.map(({ id }) => id),
      );
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
  return known.get(table)!;
}

/** Returns a query with the fields that a call requires, or null if the person has no record to name. */
export async function queryOf(
  login: string,
  o: Operation,
  change: Record<string, string> = {},
): Promise<string | null> {
  const query = new URLSearchParams();
  const ids = new Map(idFields(o, o.query, names).map((field) => [field.name, field]));
  for (const [name, schema] of Object.entries(shapeOf(o.query))) {
    if (change[name] !== undefined) query.set(name, change[name]);
    else if (QUERY[name] !== undefined && name !== 'number') query.set(name, QUERY[name]);
    else if (['limit', 'per_page'].includes(name)) query.set(name, '200');
    else if (!schema.safeParse(undefined).success) {
      const [id] = ids.has(name) ? await ownIds(login, ids.get(name)!.table) : [undefined];
      if (ids.has(name) && id === undefined) return null;
      query.set(name, String(id ?? QUERY[name] ?? sampleValue(schema)));
    }
  }
  return `?${query}`;
}

export const reads = ALL_OPERATIONS.filter((o) => o.method === 'GET' && o.session !== 'public');

/** Runs work for many things, some at a time. */
export async function each<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const queue = [...things];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let thing = queue.shift(); thing !== undefined; thing = queue.shift()) await work(thing);
    }),
  );
}

/** Reads everything that a person can read: every call, with their newest record where it names one. */
export async function everythingRead(login: string): Promise<Map<string, string>> {
  const client = clients.get(login)!;
  const answers = new Map<string, string>();
  await each(reads, async (o) => {
    const query = await queryOf(login, o);
    if (query === null) return;
    const ids = o.path.includes('/:id') ? await ownIds(login, tableOfPath(o)) : [0];
    for (const id of ids) {
      const path = pathOf(o, id) + query;
      answers.set(`${login} GET ${path}`, plain(await client('GET', path)));
    }
  });
  return answers;
}

/** Shows where two texts begin to differ, and how they continue. */
export function difference(then: string, now: string): string {
  let at = 0;
  while (then[at] === now[at] && at < then.length) at++;
  return `…${then.slice(Math.max(0, at - 40), at + 80)}… became …${now.slice(Math.max(0, at - 40), at + 80)}…`;
}

const csv = () => {
  const form = new FormData();
  form.append('file', new Blob(['number\n639170001234\n']), 'numbers.csv');
  return form;
};
/**
 * Makes a body that the call accepts, with the person's own records. It is empty if none can be made, and undefined if
 * the call takes none.
 */
export async function bodyOf(login: string, o: Operation): Promise<Fields | FormData | undefined> {
  if (o.method === 'GET' || o.method === 'DELETE') return undefined;
  if (o.upload) return csv();
  const refer = new Map<string, number | undefined>();
  for (const r of RESOURCES) refer.set(r.name, (await ownIds(login, tableOf(r)))[0] ?? 1);
  try {
    const body = sampleBody(o.body, (to) => refer.get(to), { whole: true });
    for (const { name, table: of, many } of idFields(o, o.body, names)) {
      const [id] = await ownIds(login, of);
      if (id !== undefined && body[name] !== null) body[name] = many ? [id] : id;
    }
    return body;
  } catch {
    return {};
  }
}

export const withIds = ALL_OPERATIONS.filter((o) => o.path.includes('/:id'));
/** Tables of records that only their person sees, so the administration cannot show that they exist. */
export const OF_ONE_PERSON = new Set([
  'quote',
  'campaign_draft',
  'upload',
  'download',
  'bulk_upload',
  'list_job',
  'saved_view',
]);
