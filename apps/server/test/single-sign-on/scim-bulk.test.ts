import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import SCIMMY from 'scimmy';
import { group, person, startDirectory } from './scim-client.ts';
import { signOnStage } from './stage.ts';

const stage = await signOnStage({ after });
const { one } = stage;

const REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
interface Done {
  method: string;
  bulkId?: string;
  status: string;
  location?: string;
  version?: string;
  response?: { detail: string; scimType?: string };
}

/** A directory that sends bulk requests. Its answers are read by an implementation of SCIM that is not ours. */
async function bulkDirectory() {
  const directory = await startDirectory(stage);
  const bulk = async (Operations: object[], more: object = {}): Promise<Done[]> => {
    const { status, body } = await directory.call('POST', '/Bulk', { schemas: [REQUEST], Operations, ...more });
    assert.equal(status, 200, JSON.stringify(body));
    const read = new SCIMMY.Messages.BulkResponse(body as never);
    assert.equal(read.Operations.length, (body as { Operations: Done[] }).Operations.length);
    return (body as { Operations: Done[] }).Operations;
  };
  const create = (bulkId: string, path: string, data: object) => ({ method: 'POST', path, bulkId, data });
  const newPerson = (name: string) => create(name, '/Users', person(`${name}@${directory.domain}`));
  return { ...directory, bulk, create, newPerson };
}

const idIn = ({ location }: Done) => location!.split('/').at(-1)!;

test('a group that names people by their bulkId has them, though it comes before them', async () => {
  const { bulk, create, newPerson, one: call } = await bulkDirectory();
  const done = await bulk([
    create('sales', '/Groups', group('Sales', 'bulkId:ann', 'bulkId:ben')),
    newPerson('ann'),
    newPerson('ben'),
    {
      method: 'PATCH',
      path: '/Groups/bulkId:sales',
      data: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'remove', path: 'members', value: [{ value: 'bulkId:ben' }] }],
      },
    },
  ]);
  assert.deepEqual(
    done.map(({ method, bulkId, status }) => [method, bulkId, status]),
    [
      ['POST', 'sales', '201'],
      ['POST', 'ann', '201'],
      ['POST', 'ben', '201'],
      ['PATCH', undefined, '200'],
    ],
  );
  const sales = await call(200, 'GET', `/Groups/${idIn(done[0]!)}`);
  assert.deepEqual(
    (sales['members'] as { value: string }[]).map(({ value }) => value),
    [idIn(done[1]!)],
  );
  assert.equal(sales.meta.version, done[3]!.version);
});

test('an operation that is refused changes nothing, and the others are done', async () => {
  const { bulk, newPerson, domain, one: call, call: plain } = await bulkDirectory();
  const [ann, ben] = await bulk([newPerson('ann'), newPerson('ben')]);
  const before = await call(200, 'GET', `/Users/${idIn(ann!)}`);
  const done = await bulk([
    { method: 'PUT', path: `/Users/${idIn(ann!)}`, version: 'W/"old"', data: person(`ann@${domain}`) },
    { method: 'delete', path: `/Users/${idIn(ben!)}`, version: ben!.version },
    newPerson('ann'),
    { method: 'POST', path: '/Users', bulkId: 'far', data: person('cai@elsewhere.test') },
    { method: 'DELETE', path: '/Users/999999999' },
    newPerson('dan'),
  ]);
  assert.deepEqual(
    done.map(({ status, response }) => [status, response?.scimType]),
    [
      ['412', undefined],
      ['204', undefined],
      ['409', 'uniqueness'],
      ['400', 'invalidValue'],
      ['404', undefined],
      ['201', undefined],
    ],
  );
  assert.match(done[3]!.response!.detail, /elsewhere/);
  assert.equal(done[3]!.location, undefined);
  assert.ok(done[4]!.location!.endsWith('/Users/999999999'));
  assert.deepEqual(await call(200, 'GET', `/Users/${idIn(ann!)}`), before);
  assert.equal((await plain('GET', `/Users/${idIn(ben!)}`)).status, 404);
});

test('after the errors that a request allows, nothing more is done', async () => {
  const { bulk, newPerson, domain } = await bulkDirectory();
  const wrong = { method: 'DELETE', path: '/Users/0' };
  const done = await bulk([newPerson('ann'), wrong, newPerson('ben'), wrong, newPerson('cai')], { failOnErrors: 2 });
  assert.deepEqual(
    done.map(({ status }) => status),
    ['201', '404', '201', '404'],
  );
  const { people } = await one<{ people: number }>(
    "SELECT count(*)::integer AS people FROM user_account WHERE email LIKE '%@' || $1",
    domain,
  );
  assert.equal(people, 2);
});

test('what names nothing that was created is refused, and so is each of a circle', async () => {
  const { bulk, create } = await bulkDirectory();
  const done = await bulk([
    create('a', '/Groups', group('A', 'bulkId:b')),
    create('b', '/Groups', group('B', 'bulkId:a')),
    create('c', '/Groups', group('C', 'bulkId:nobody')),
    { method: 'DELETE', path: '/Groups/bulkId:__proto__' },
  ]);
  assert.deepEqual(
    done.map(({ status }) => status),
    ['409', '409', '409', '409'],
  );
});

test('only people and groups of the directory are reached, whatever path is written', async () => {
  const { bulk, newPerson } = await bulkDirectory();
  const foreign = await bulkDirectory();
  const [theirs] = await foreign.bulk(
    [newPerson('zoe')].map((each) => ({ ...each, data: foreign.newPerson('zoe').data })),
  );
  const paths = [
    `/Users/${idIn(theirs!)}`,
    '/Users/../Groups/1',
    '/Users/1/2',
    '/Bulk',
    '/users/1',
    '//Users/1',
    '/Users/1?attributes=id',
    '/constructor/1',
  ];
  const done = await bulk(paths.map((path) => ({ method: 'DELETE', path })));
  assert.deepEqual(
    done.map(({ status, response }) => [status, response?.scimType]),
    [['404', undefined], ...paths.slice(1).map(() => ['400', 'invalidPath'])],
  );
});

test('a request that is too large, or no bulk request, is refused whole', async () => {
  const { refused, newPerson, domain } = await bulkDirectory();
  const send = (Operations: unknown, more: object = {}) =>
    refused('POST', '/Bulk', { schemas: [REQUEST], Operations, ...more });
  const many = Array.from({ length: 101 }, (_, i) => newPerson(`p${i}`));
  assert.equal(await send(many), '413');
  assert.equal(await send([]), '400 invalidSyntax');
  assert.equal(await send([{ ...newPerson('ann'), bulkId: undefined }]), '400 invalidSyntax');
  assert.equal(await send([newPerson('ann'), newPerson('ann')]), '400 invalidValue');
  assert.equal(await send([newPerson('ann'), { method: 'GET', path: '/Users' }]), '400 invalidSyntax');
  assert.equal(await send([newPerson('ann')], { failOnErrors: 0 }), '400 invalidSyntax');
  assert.equal(await send([newPerson('ann')], { schemas: [] }), '400 invalidSyntax');
  const { people } = await one<{ people: number }>(
    "SELECT count(*)::integer AS people FROM user_account WHERE email LIKE '%@' || $1",
    domain,
  );
  assert.equal(people, 0);
});
