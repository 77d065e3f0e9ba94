import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { referenceOf } from '@heliograph/contract/kernel/fields';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import { Secret, TOTP } from 'otpauth';
import type { z } from 'zod';
import { ensurePushKey } from '../../src/modules/notifications/push.ts';
import { makeOwnKey } from '../../src/modules/single-sign-on/own-certificate.ts';
import { createLogger } from '../../src/platform/log.ts';
import { open, seal } from '../../src/platform/process/seal.ts';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { resourceNamed, tableOf } from '../every-resource/records.ts';
import { type Fields, sampleValue, shapeOf } from '../every-resource/sample.ts';
import { type Client, startTestApi } from '../test-api.ts';
import { label, tableOfPath } from './classification.ts';

// Secrets must not leave the system. Each secret field of each call gets a canary. Then every answer, the log at its
// most detailed level, every column of the database and every file is searched for the canaries.

const lines: string[] = [];
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const api = await startTestApi({ after }, { log: createLogger({ LOG_LEVEL: 'trace' }, 'secrets', stream) });
const owner = api.database.pool('owner');
await ensurePushKey({ database: api.database.db('worker'), config: api.config });
const heard: string[] = [];
const listened =
  (client: Client): Client =>
  async (method, path, body) => {
    const answer = await client(method, path, body);
    heard.push(`${method} ${path} ${JSON.stringify(answer.body)} ${JSON.stringify([...answer.headers])}`);
    return answer;
  };
const everything = listened(await api.as('superadmin'));
const somebody = listened(await api.as('admin'));

const SECRET = /password|secret|token|authorization/;
const secretFields = (o: Operation) => Object.keys(shapeOf(o.body)).filter((name) => SECRET.test(name));
const takingSecrets = ALL_OPERATIONS.filter((o) => secretFields(o).length > 0);
/** A password that meets every rule. */
const START = 'Cnry#S3cr';
let count = 0;
const canaries: string[] = [];
function canary(): string {
  const word = `${START}${(++count).toString(36).padStart(3, '0')}`;
  canaries.push(word);
  return word;
}

const idOf = async (table: string) =>
  (await owner.query<{ id: number }>(`SELECT max(id) AS id FROM ${table}`)).rows[0]?.id ?? 1;

/** Returns a value for a field, if one can be made. */
function sampled(schema: z.ZodType): unknown {
  try {
    return sampleValue(schema);
  } catch {
    return undefined;
  }
}

/** Makes a body with a canary in every field of a secret. A confirmation repeats the value that it confirms. */
async function bodyOf(o: Operation): Promise<Fields> {
  const body: Fields = {};
  for (const [name, field] of Object.entries(shapeOf(o.body))) {
    const to = referenceOf(field);
    if (to && !field.safeParse(null).success) body[name] = await idOf(tableOf(resourceNamed(to)));
    else if (!to) body[name] = sampled(field);
  }
  const word = canary();
  for (const name of secretFields(o)) body[name] = name === 'current_password' ? canary() : word;
  // A mail server needs all of its fields or none.
  if ('mail_server' in body)
    Object.assign(body, { email_address: 'post@lamp.test', mail_server: 'mail.lamp.test', mail_port: 25 });
  // Roles, and people with emergency access, would have to fit.
  if ('groups_claim' in body) Object.assign(body, { creates_users: false, follows_groups: false, enforced: false });
  // Only a service over HTTP has a header.
  if ('items_path' in body) Object.assign(body, SERVICE);
  return body;
}

const SERVICE = {
  driver: 'http',
  url: 'https://lookups.test/{number}',
  batch_size: 1,
  server: null,
  zone: null,
  number_path: 'number',
  mcc_path: 'mccmnc',
  mnc_path: null,
  currency: 'EUR',
};

test('each call that takes a secret takes a canary', async () => {
  const status: Record<string, number> = {};
  for (const o of takingSecrets) {
    const id = o.path.includes('/:id') ? await idOf(tableOfPath(o)) : 0;
    const path = o.path.replace(':id', String(id));
    // Calls that require one's own password may lock the person, so a person who may be locked makes them.
    const client = o.session === 'public' ? listened(api.anonymous()) : o.permission === null ? somebody : everything;
    const answer = await client(o.method, path, await bodyOf(o));
    assert.ok(answer.status < 500, `${label(o)}: ${JSON.stringify(answer.body)}`);
    status[label(o)] = answer.status;
    // A refused value may be quoted in the reason.
    await client(o.method, path, Object.fromEntries(secretFields(o).map((name) => [name, { in: canary() }])));
    await client(o.method, path, { ...(await bodyOf(o)), [`${canary()}`]: canary() });
  }
  for (const call of ['POST /api/v1/links', 'PATCH /api/v1/links/:id', 'PATCH /api/v1/teams/:id'])
    assert.ok(status[call]! < 300, `${call} answered ${status[call]}, so nothing of it was stored`);
});

test('an internal error does not reveal what was sent', async () => {
  await owner.query('REVOKE INSERT ON activity_log FROM heliograph_api');
  const create = takingSecrets.find((o) => label(o) === 'POST /api/v1/links')!;
  const { status } = await everything('POST', create.path, { ...(await bodyOf(create)), name: 'Another' });
  await owner.query('GRANT INSERT ON activity_log TO heliograph_api');
  assert.equal(status, 500);
  assert.ok(lines.some((line) => line.includes('request failed')));
});

test('authenticator keys and recovery codes are shown once, tokens only to the bearer', async () => {
  const plain = await api.as('corporate');
  const begun = await plain('POST', '/api/v1/two-factor/begin', {});
  const { secret } = begun.body as { secret: string };
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirmed = await plain('POST', '/api/v1/two-factor/confirm', { code });
  assert.equal(confirmed.status, 200);
  const { recovery_codes } = confirmed.body as { recovery_codes: string[] };
  const entered = await api.anonymous()('POST', '/api/v1/oauth/token', {
    username: 'department@heliograph.test',
    password: DEMO_PASSWORD,
  });
  const tokens = entered.body as { access_token: string; refresh_token: string };
  await listened(api.anonymous(tokens.access_token))('GET', '/api/v1/profiles');
  canaries.push(secret, ...recovery_codes, ...recovery_codes.map((each) => each.replace('-', '')));
  canaries.push(tokens.access_token, tokens.refresh_token);
});

/** Lists the tables with a row that holds one of these words, as text or as octets. */
async function tablesHolding(words: readonly string[]): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(`
    SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'jobs') AND c.relkind IN ('r', 'p') AND NOT (c.relispartition AND c.relname ~ '_[0-9]{8}$')`);
  const patterns = words
    .flatMap((word) => [word, Buffer.from(word).toString('hex')])
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query(`SELECT FROM ${name} t WHERE t::text LIKE ANY ($1) LIMIT 1`, [patterns]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

test('no answer, line of the log, column of the database or file holds a secret', async () => {
  for (const client of [everything, listened(await api.as('corporate'))])
    for (const o of ALL_OPERATIONS.filter((each) => each.method === 'GET')) {
      const id = o.path.includes('/:id') ? await idOf(tableOfPath(o)) : 0;
      const path = o.path.replace(/:(\w+)/g, (_, name: string) =>
        String(name === 'id' ? id : (sampled(shapeOf(o.params)[name]!) ?? 'x'.repeat(32))),
      );
      const query = new URLSearchParams();
      for (const [name, schema] of Object.entries(shapeOf(o.query)))
        if (!schema.safeParse(undefined).success || ['from', 'to'].includes(name))
          query.set(
            name,
            ['from', 'to'].includes(name) ? new Date().toISOString().slice(0, 10) : String(sampleValue(schema)),
          );
      await client('GET', `${path}?${query}`);
    }
  assert.ok(heard.length > 150, `${heard.length} answers`);
  assert.ok(canaries.length > 60, `${canaries.length} canaries`);
  const inside = (text: string) => canaries.filter((word) => text.includes(word));
  for (const answer of heard) assert.deepEqual(inside(answer), [], answer.slice(0, 500));
  for (const line of lines) assert.deepEqual(inside(line), [], line);

  const others = canaries.filter((word) => !word.startsWith(START));
  assert.deepEqual(await tablesHolding([START, ...others]), []);
  // The search itself finds a canary that exists.
  await owner.query(`UPDATE department SET signature = '${START}' WHERE name = 'Marketing'`);
  assert.deepEqual(await tablesHolding([START]), ['department']);
  // A mail is only for its reader; all other files in the folder are the server's.
  for (const file of globSync('**/*', { cwd: api.config.DATA_DIR, withFileTypes: true }))
    if (file.isFile() && !file.parentPath.endsWith('mail'))
      assert.deepEqual(inside(readFileSync(join(file.parentPath, file.name), 'latin1')), [], file.name);
});

test('a sealed secret opens only for its row, and not when it is cut or changed', async () => {
  const { certificate: certificates } = await makeOwnKey('a provider', new Date());
  const saml = {
    name: 'Lamp login',
    protocol: 'saml',
    entity_id: 'https://lamp.test',
    sso_url: 'https://lamp.test/sso',
  };
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const sftp = { name: 'Lamp files', destination: 'sftp', host: 'sftp.lamp.test', username: 'lamp' };
  for (const [path, body] of [
    ['identity-providers', { ...saml, certificates }],
    ['scheduled-files', { ...sftp, every: 'day', secret: 'lamp oil', private_key: privateKey }],
    ['privacy', { number: '639175550177' }],
    ['text-keys', { corporation_id: await api.database.idOf('corporation', 'Acme Retail') }],
    [
      'audit-streams',
      { name: 'Lamp log', destination: 'https', url: 'https://log.lamp.test/events', secret: 'lamp oil' },
    ],
  ] as const) {
    const made = await everything('POST', `/api/v1/${path}`, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
  }
  const { rows: columns } = await owner.query<{ table: string; column: string }>(`
    SELECT attrelid::regclass::text AS table, attname AS column FROM pg_attribute
    WHERE attname LIKE '%\\_sealed' AND attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r')`);
  assert.ok(columns.length >= 3, JSON.stringify(columns));
  for (const { table, column } of columns) {
    const { rows } = await owner.query<{ sealed: string }>(
      `SELECT ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    assert.ok(rows.length > 0, `no ${table} has a ${column}`);
    for (const { sealed } of rows) assert.match(sealed, /^v1\.[\w-]{40,}$/);
    assert.equal(new Set(rows.map(({ sealed }) => sealed.slice(0, 18))).size, rows.length, 'no nonce comes twice');
  }
  const key = Buffer.alloc(32, 7);
  const sealed = seal(key, 'a secret', 'link 1');
  assert.equal(open(key, sealed, 'link 1'), 'a secret');
  assert.notEqual(seal(key, 'a secret', 'link 1'), sealed);
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  assert.throws(() => open(key, sealed, 'link 2'));
  assert.throws(() => open(Buffer.alloc(32, 8), sealed, 'link 1'));
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    assert.throws(() => open(key, `v1.${changed.toString('base64url')}`, 'link 1'), `octet ${at}`);
    assert.throws(() => open(key, `v1.${bytes.subarray(0, at).toString('base64url')}`, 'link 1'), `cut at ${at}`);
  }
});
