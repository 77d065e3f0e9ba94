import { startWorker } from '../../src/processes/worker.ts';
import { dataOf, type Row } from '../answers.ts';
import type { Scope } from '../template-database.ts';
import { type Client, startTestApi } from '../test-api.ts';

/** Returns the phone number of an index. */
export const at = (i: number) => `63917${String(i).padStart(7, '0')}`;
/** Returns the indexes from one up to another, without the last. */
export const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

/** Starts the API and a worker over lists of Acme Retail. `foreignList` is a list of another corporation. */
export async function listStage(t: Scope) {
  const api = await startTestApi(t);
  const worker = await startWorker({ config: api.config, log: api.log });
  t.after(() => worker.stop());
  const owner = api.database.pool('owner');
  const [corporate, harbor, readonly] = (await Promise.all(
    ['corporate', 'corporate@harbor.test', 'readonly'].map((login) => api.as(login)),
  )) as [Client, Client, Client];

  const one = async (text: string, values: unknown[] = []): Promise<number> =>
    (await owner.query<{ id: number }>(text, values)).rows[0]!.id;
  const corporation_id = await one(`SELECT id FROM corporation WHERE name = 'Acme Retail'`);
  const department_id = await one(`SELECT id FROM department WHERE corporation_id = $1 ORDER BY id LIMIT 1`, [
    corporation_id,
  ]);
  const foreignList = await one(
    `SELECT l.id FROM number_list l JOIN corporation c ON c.id = l.corporation_id WHERE c.name = 'Blue Harbor Bank' LIMIT 1`,
  );

  let made = 0;
  /** Creates a list with the numbers of these indexes; every third one has the tag Gold. */
  async function listOf(places: readonly number[]): Promise<number> {
    const list = dataOf(
      await corporate('POST', '/api/v1/number-lists', { name: `Lot ${++made}`, corporation_id, department_id }),
    );
    await owner.query(
      `INSERT INTO number_list_number (number_list_id, number, name, param1)
     SELECT $1, number, 'Name ' || number, CASE WHEN place % 3 = 0 THEN 'Gold' ELSE 'Silver' END
     FROM unnest($2::text[], $3::int[]) AS u(number, place)`,
      [list.id, places.map(at), places],
    );
    await owner.query('UPDATE number_list SET numbers_count = $2 WHERE id = $1', [list.id, places.length]);
    return list.id;
  }
  const numbersOf = async (list: number) =>
    (
      await owner.query<{ number: string }>(
        'SELECT number FROM number_list_number WHERE number_list_id = $1 ORDER BY number',
        [list],
      )
    ).rows.map(({ number }) => number);
  const countOf = (list: number) => one('SELECT numbers_count AS id FROM number_list WHERE id = $1', [list]);
  const page = async (list: number, query: string, client: Client = corporate) => {
    const { body } = await client('GET', `/api/v1/numbers?number_list_id=${list}&${query}`);
    return body as { data: Row[]; meta: { total: number } };
  };
  return {
    api,
    owner,
    corporate,
    harbor,
    readonly,
    corporation_id,
    foreignList,
    one,
    listOf,
    numbersOf,
    countOf,
    page,
  };
}
