import { referenceOf } from '@heliograph/contract/kernel/fields';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import type pg from 'pg';
import type { Client } from '../test-api.ts';
import { listAll, type Record_, resourceNamed } from './records.ts';
import { type Fields, sampleBody, shapeOf } from './sample.ts';

/** Builds the bodies of new records, with a client that may create any. */
export function bodiesOf(owner: Pick<pg.Pool, 'query'>, everything: Client) {
  const known = new Map<string, Record_[]>();
  let rates = 0;
  const recordsOf = async (name: string): Promise<Record_[]> => {
    const present = known.get(name) ?? (await listAll(everything, resourceNamed(name)));
    known.set(name, present);
    return present;
  };

  let accountOfKeys: Promise<number> | undefined;
  /** Makes a service account for keys, once. */
  async function makeAccount(): Promise<number> {
    const accounts = resourceNamed('service-accounts');
    const fields = { ...(await newBody(accounts)), name: 'Account of keys' };
    const { body } = await everything('POST', accounts.createOne.path, fields);
    return (body as { data: Record_ }).data.id;
  }

  /** Returns fields that fit only together, which samples cannot find. */
  async function fitting(r: AnyResource): Promise<Fields> {
    if (r.name === 'teams') {
      // A corporation that belongs to a reseller cannot become a reseller itself.
      const harbor = (await recordsOf('corporations')).find(({ name }) => name === 'Blue Harbor Bank')!;
      return { corporation_id: harbor.id };
    }
    if (r.name === 'smpp-system-ids') {
      // System IDs are only for people who connect by SMPP.
      const { rows } =
        await owner.query(`UPDATE user_account u SET connection_type_id = t.id FROM connection_type t, corporation c
        WHERE u.email = 'user@heliograph.test' AND t.name = 'SMPP' AND c.id = u.corporation_id RETURNING u.id, c.id AS corporation_id`);
      return { user_id: rows[0].id, corporation_id: rows[0].corporation_id };
    }
    // Rules that do not change how the tests sign in.
    if (r.name === 'sign-in-policies') return { second_factor: false, session_hours: 24, idle_minutes: 60 };
    if (r.name === 'exchange-rates') return { from_currency: 'USD' };
    if (r.name === 'carrier-rates') {
      // Only drafts get rates, and a rate names either a prefix or a network.
      const draft = (await recordsOf('carrier-cards')).find(({ state }) => state === 'draft')!;
      return {
        carrier_card_id: draft.id,
        prefix: `6399${++rates}`,
        mcc: null,
        mnc: null,
        starts_on: null,
        ends_on: null,
      };
    }
    if (r.name === 'merchant-accounts')
      return {
        driver: 'bank_transfer',
        mode: 'live',
        currency: 'PHP',
        instructions: 'Sample',
        minimum: '1.000',
        maximum: '2.000',
      };
    if (r.name === 'audit-streams')
      return { destination: 'https', url: 'https://siem.example.com/', ca: null, endpoint: null };
    if (r.name === 'scheduled-files')
      return {
        destination: 'sftp',
        host: 'sftp.example.com',
        private_key: null,
        secret: 'long enough',
        endpoint: null,
      };
    if (r.name === 'identity-providers')
      return {
        issuer: 'https://login.example.com',
        client_id: 'console',
        scopes: 'openid email',
        certificates: null,
        // Roles and required providers need people and roles that fit.
        creates_users: false,
        follows_groups: false,
        enforced: false,
      };
    if (r.name === 'api-keys') return { last_day: null };
    if (r.name === 'service-account-keys') {
      accountOfKeys ??= makeAccount();
      return { service_account_id: await accountOfKeys, last_day: null };
    }
    if (r.name === 'number-sources') return { driver: 'dump' };
    if (r.name === 'moderation-rules') return { words: ['sample'] };
    // A limit has either a number of messages or a cost, and singles out a record of its kind only.
    if (r.name === 'sending-limits')
      return { kind: 'user', messages: 100, spend: null, api_key_id: null, sender_id_id: null };
    if (r.name === 'sending-hours') return { calling_code: '63' };
    if (r.name !== 'users') return {};
    const acme = (await recordsOf('corporations')).find(({ name }) => name === 'Acme Retail')!;
    const department = (await recordsOf('departments')).find(({ corporation_id }) => corporation_id === acme.id)!;
    const role = (await recordsOf('roles')).find(({ name }) => name === 'corporate_user')!;
    const place = { corporation_id: acme.id, department_id: department.id, role_id: role.id, scope_level: 4 };
    return { ...place, permission_template: 'corporate_user', landing_page: 'dashboard', connection_type_id: null };
  }

  /** Builds a complete body for a new record of Acme Retail; its references agree with one another. */
  async function newBody(r: AnyResource, options: { whole?: boolean } = {}): Promise<Fields> {
    const refer = new Map<string, number | undefined>();
    for (const field of Object.values(shapeOf(r.create))) {
      const to = referenceOf(field);
      if (!to) continue;
      const records = await recordsOf(to);
      const acme = (await recordsOf('corporations')).find(({ name }) => name === 'Acme Retail')!;
      const own = records.find((record) => record['corporation_id'] === acme.id) ?? records[0];
      refer.set(to, to === 'corporations' ? acme.id : own?.id);
    }
    return { ...sampleBody(r.create, (to) => refer.get(to), options), ...(await fitting(r)) };
  }
  return { recordsOf, newBody };
}
