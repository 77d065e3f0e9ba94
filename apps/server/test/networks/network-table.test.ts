import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { seededRandom } from '@heliograph/fault-kit';
import fc from 'fast-check';
import {
  boundsOf,
  type NetworkPrefixes,
  NetworkTable,
  numberKey,
  type Read,
  readNetworks,
  readNetworksAt,
} from '../../src/modules/networks/index.ts';
import { seedNetworks } from '../../src/seed/networks.ts';
import { testDatabase } from '../template-database.ts';

const network = (id: number, prefixes: readonly string[], codes: readonly string[] = []): NetworkPrefixes => {
  const [first, ...other_codes] = codes;
  const [mcc = null, mnc = null] = first?.split('-') ?? [];
  return { id, country: 'PH', mcc, mnc, other_codes, name: `N${id}`, enabled: true, prefixes };
};

test('a number is in the network of its longest prefix, as a scan over all finds', () => {
  const digits = (min: number, max: number) =>
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((each) => each.join(''));
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(digits(1, 6), fc.integer({ min: 1, max: 5 })), { selector: ([prefix]) => prefix }),
      fc.array(digits(1, 15), { maxLength: 40 }),
      (owners, numbers) => {
        const table = new NetworkTable(
          1,
          [1, 2, 3, 4, 5].map((id) =>
            network(
              id,
              owners.filter(([, owner]) => owner === id).map(([prefix]) => prefix),
            ),
          ),
        );
        for (const number of numbers) {
          const [longest] = owners
            .filter(([prefix]) => number.startsWith(prefix))
            .sort(([a], [b]) => b.length - a.length);
          assert.equal(table.networkOf(number)?.id ?? null, longest?.[1] ?? null, number);
        }
      },
    ),
  );
});

test('a network is found by each of its codes, also without leading zeros', () => {
  const table = new NetworkTable(1, [
    network(1, [], ['515-02', '515-01']),
    network(2, [], ['405-05']),
    network(3, [], ['405-005']),
  ]);
  assert.equal(table.byCode('515', '02')?.id, 1);
  assert.equal(table.byCode('515', '1')?.id, 1);
  assert.equal(table.byCode('405', '05')?.id, 2);
  assert.equal(table.byCode('405', '005')?.id, 3);
  assert.equal(table.byCode('515', '99'), undefined);
});

const database = await testDatabase({ after });
const owner = database.pool('owner');
await seedNetworks(owner);
const reader: Read = async <Row>(text: string, values: readonly unknown[]) =>
  (await database.pool('api').query(text, [...values])).rows as Row[];
const idOf = (name: string) => database.one(`SELECT id FROM network WHERE country = 'PH' AND name = $1`, [name]);
const setPrefixes = (wanted: object, source = 'form') =>
  owner.query('SELECT set_network_prefixes($1, $2)', [JSON.stringify(wanted), source]);

test('the ranges of a network hold exactly the numbers whose longest prefix is its own', async () => {
  const random = seededRandom(1);
  const digits = (most: number) =>
    Array.from({ length: 1 + Math.floor(random.next() * most) }, () => Math.floor(random.next() * 4)).join('');
  for (let round = 0; round < 40; round++) {
    const owners = new Map(
      Array.from({ length: round }, () => [digits(round < 20 ? 4 : 15), 1 + Math.floor(random.next() * 3)]),
    );
    const of = (id: number) => [...owners].filter(([, owner]) => owner === id).map(([prefix]) => prefix);
    const table = new NetworkTable(
      1,
      [1, 2, 3].map((id) => network(id, of(id))),
    );
    const numbers = [...Array.from({ length: 200 }, () => digits(15)), ...owners.keys()];
    const bounds = boundsOf(of(1), [...of(2), ...of(3)]);
    const { rows } = await owner.query<{ number: string }>(
      `SELECT number FROM unnest($1::text[]) AS x(number) WHERE width_bucket(${numberKey('number')}, $2::bigint[]) % 2 = 1`,
      [numbers, `{${bounds.join()}}`],
    );
    assert.deepEqual(
      rows.map(({ number }) => number),
      numbers.filter((number) => table.networkOf(number)?.id === 1),
    );
  }
});

test('the table that ships knows the networks of a country', async () => {
  const table = await readNetworks(reader);
  assert.ok(table.networks.length > 1_500, String(table.networks.length));
  assert.equal(table.networkOf('639171234567')?.name, 'Globe');
  assert.equal(table.networkOf('639181234567')?.name, 'Smart');
  assert.equal(table.networkOf('12025550123'), null);
  assert.equal(table.byCode('515', '03')?.name, 'Smart');
  assert.equal(await readNetworks(reader), table, 'it is read once');
});

test('prefixes that were in force at an earlier time are found by that time', async () => {
  const before = await readNetworks(reader);
  const { rows } = await owner.query<{ at: string }>('SELECT clock_timestamp()::text AS at');
  const [globe, smart] = [await idOf('Globe'), await idOf('Smart')];
  const taken = (await database.one<string[]>('SELECT prefixes AS id FROM network_row WHERE id = $1', [globe])).filter(
    (prefix) => prefix !== '63917',
  );
  const given = await database.one<string[]>('SELECT prefixes AS id FROM network_row WHERE id = $1', [smart]);
  await setPrefixes({ [globe]: taken, [smart]: [...given, '63917'] });
  const after = await readNetworks(reader);
  assert.equal(after.version, before.version + 1);
  assert.equal(after.networkOf('639171234567')?.name, 'Smart');
  const past = await readNetworksAt(reader, rows[0]!.at);
  assert.equal(past.version, before.version);
  assert.equal(past.networkOf('639171234567')?.name, 'Globe');
  await setPrefixes({ [globe]: taken });
  assert.equal((await readNetworks(reader)).version, after.version, 'nothing changed');
});

test('a prefix belongs to one network', async () => {
  const dito = await idOf('Dito');
  await assert.rejects(setPrefixes({ [dito]: ['63918'] }), { constraint: 'network_prefix_key' });
});

test('the table that ships does not undo what an operator has changed', async () => {
  await owner.query(`UPDATE network_state SET shipped = 'older'`);
  await owner.query(`UPDATE network SET name = 'Globe Telecom' WHERE country = 'PH' AND name = 'Globe'`);
  await seedNetworks(owner);
  const table = await readNetworks(reader);
  assert.equal(table.networkOf('639171234567')?.name, 'Smart');
  assert.equal(table.byCode('515', '02')?.name, 'Globe Telecom');
});
