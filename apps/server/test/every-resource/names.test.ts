import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { nameKey } from '@heliograph/contract/kernel/name-key';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { RESOURCES } from '@heliograph/contract/registry';
import { startTestApi } from '../test-api.ts';
import { bodiesOf } from './new-body.ts';
import { type Record_, tableOf } from './records.ts';
import type { Fields } from './sample.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const everything = await api.as('superadmin');
const { newBody } = bodiesOf(owner, everything);

/** Unique values that are compared letter by letter, and the reason of each. */
const TO_THE_LETTER: Readonly<Record<string, string>> = {
  alias_word_pkey: 'kept as the key of the word',
  billing_account_key_key: 'other systems know the account by it; the call compares it by the rule',
  blacklist_number_key: 'a phone number has one form',
  contact_field_key_key: 'a key of programs, in small letters',
  contact_field_slot_key: 'a column of the program',
  contact_number_key: 'a phone number has one form',
  consent_event_key: 'the wording and the proof as they were given',
  blackout_time_corporation_id_key: 'one for each corporation',
  callback_endpoint_url_key: 'case counts in an address',
  carrier_rate_key: 'conditions, none of them a name',
  carrier_route_conditions_key: 'conditions, none of them a name',
  exchange_rate_pair_key: 'codes of currencies and days',
  global_configuration_pkey: 'a key of the program, in small letters',
  language_line_group_key_key: 'a key of the program',
  network_code_key: 'digits',
  network_shipped_key: 'a key of the table that ships',
  number_list_number_pkey: 'a phone number has one form',
  number_list_number_whole_pkey: 'the same key, of the whole table',
  opt_out_number_key: 'a phone number has one form',
  permission_name_key: 'a key of the program, in small letters',
  protected_name_name_key: 'what a name looks like decides, which is wider',
  test_number_number_key: 'only digits',
  rate_price_plan_id_rate_zone_id_prefix_starts_on_key: 'digits and days',
  reseller_corporation_id_key: 'one for each corporation',
  reseller_host_key: 'a host, kept in small letters',
  reseller_short_link_host_key: 'a host, kept in small letters',
  contact_field_language_key: 'no name: one field of a corporation is the language',
  corporation_short_link_host_key: 'a host, kept in small letters',
  role_name_key: 'the program before writes by it; role_name_once is the rule',
  sender_id_assignment_key: 'two records',
  sender_registration_key: 'two records',
  retention_rule_corporation_id_key: 'one of each side for a corporation',
  sign_in_policy_owner_key: 'one for each corporation',
  sender_id_corporation_id_sender_id_key: 'case is what phones show and carriers register',
  smpp_system_id_system_id_key: 'octets of the protocol',
  web_domain_key: 'a host in the form of DNS',
  invoice_buyer_corporation_id_key: 'a record',
  invoice_issuer_corporation_id_key: 'a record',
  user_account_email_key: 'an email address, kept in small letters',
};

/** Returns the column that an index compares by the rule; undefined if the index compares letter by letter. */
async function namedBy(index: string): Promise<string | undefined> {
  const { rows } = await owner.query<{ def: string }>('SELECT pg_get_indexdef($1::regclass) AS def', [index]);
  return /name_key\((\w+)\)/.exec(rows[0]!.def)?.[1];
}

const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0));

/** Returns a name and other spellings of the same name. Words have no blanks in them. */
function formsOf(word: boolean): [name: string, same: string[]] {
  const name = word ? 'Zoéstraße' : 'Zoé straße';
  const same = [
    name.toUpperCase(),
    ` ${name.toLowerCase()} `,
    name.normalize('NFD'),
    fullWidth(name),
    `Zo\u00ad${name.slice(2)}`,
  ];
  return [name, word ? same : [...same, name.replace(' ', ' \u00a0 ')]];
}

test('a name is the same in any case, width and composition, with any blanks', async () => {
  let tried = 0;
  for (const r of RESOURCES)
    for (const index of Object.keys(r.conflicts)) {
      const field = await namedBy(index);
      if (field === undefined) {
        assert.ok(TO_THE_LETTER[index], `${r.name}: ${index} compares to the letter without a reason`);
        continue;
      }
      if (index === 'number_list_private_name_key') continue;
      tried++;
      await tryNames(r, field);
    }
  assert.ok(tried >= 17, String(tried));
});

async function tryNames(r: AnyResource, field: string): Promise<void> {
  const body = await newBody(r, { whole: true });
  const make = (name: string, more: Fields = {}) =>
    everything('POST', r.createOne.path, { ...body, ...more, [field]: name });
  const word = !(r.create.shape as Record<string, { safeParse(x: unknown): { success: boolean } }>)[field]!.safeParse(
    'a b',
  ).success;
  const [name, same] = formsOf(word);
  const made = await make(name);
  assert.equal(made.status, 201, `${r.name}: ${JSON.stringify(made.body)}`);
  const { id } = (made.body as { data: Record_ }).data;
  const codes: readonly unknown[] = Object.values(r.conflicts);
  const other = r.name === 'aliases' ? { aliases: ['elsewhere'] } : {};
  for (const each of same) {
    const again = await make(each, other);
    const { code } = again.body as { code: string };
    assert.ok(
      again.status === 409 && codes.includes(code),
      `${r.name} ${JSON.stringify(each)}: ${again.status} ${code}`,
    );
  }
  // The spelling of a record's own name may change.
  const renamed = await everything('PATCH', r.updateOne.path.replace(':id', String(id)), {
    [field]: name.toUpperCase(),
  });
  if (Object.hasOwn(r.update.shape, field))
    assert.equal(renamed.status, 200, `${r.name}: ${JSON.stringify(renamed.body)}`);
  assert.equal((await everything('DELETE', r.removeOne.path.replace(':id', String(id)))).status, 200, r.name);
}

test('every unique name follows the rule for names, or its exception is stated', async () => {
  const tables = RESOURCES.map((r) => tableOf(r));
  const { rows } = await owner.query<{ name: string; def: string }>(
    `SELECT i.relname AS name, pg_get_indexdef(i.oid) AS def FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
     JOIN pg_class c ON c.oid = x.indrelid WHERE x.indisunique AND c.relname = ANY ($1) AND EXISTS (
       SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (x.indkey) AND a.atttypid = 'text'::regtype)`,
    [[...tables, 'alias_word', 'saved_view']],
  );
  const OWN_KEYS =
    /^(api_key_.*digest_key|article_key_key|menu_key_key|callback_endpoint_kind_key|saved_view_user_id_list_name_key)$/;
  const open = rows.filter(
    ({ name, def }) => !def.includes('name_key(') && !TO_THE_LETTER[name] && !OWN_KEYS.test(name),
  );
  assert.deepEqual(open, []);
});

test('the program and the database fold every letter alike', async () => {
  const { rows } = await owner.query<{ sign: string; key: string }>(
    `SELECT chr(i) AS sign, name_key('a' || chr(i) || 'b') AS key FROM generate_series(1, 204800) i
     WHERE i NOT BETWEEN 55296 AND 57343 AND unicode_assigned(chr(i))`,
  );
  assert.ok(rows.length > 150_000);
  assert.deepEqual(
    rows.filter(({ sign, key }) => nameKey(`a${sign}b`) !== key),
    [],
  );
});

test('Turkish letters and ß are compared as Unicode folds them for all languages', async () => {
  const pairs: readonly [string, string, boolean][] = [
    ['ISTANBUL', 'istanbul', true],
    ['ISTANBUL', 'ıstanbul', false],
    ['İstanbul', 'istanbul', false],
    ['İstanbul', 'İSTANBUL', true],
    ['Straße', 'STRASSE', true],
    ['ΣΟΦΟΣ', 'σοφος', true],
    ['σοφος', 'σοφοσ', true],
    ['Å', 'A\u030a', true],
    ['ﬁne', 'FINE', true],
    ['ﾊﾝｶｸ', 'ハンカク', true],
    ['Acme\u3000Bank', 'acme bank', true],
    ['Acme', 'Acmе', false],
  ];
  for (const [one, other, same] of pairs) {
    const { rows } = await owner.query<{ same: boolean }>('SELECT name_key($1) = name_key($2) AS same', [one, other]);
    assert.deepEqual([rows[0]!.same, nameKey(one) === nameKey(other)], [same, same], `${one} ${other}`);
  }
});
