import assert from 'node:assert/strict';
import SCIMMY from 'scimmy';
import type { Answer } from '../test-api.ts';
import type { signOnStage } from './stage.ts';

export type Resource = Record<string, unknown> & { id: string; meta: { version: string; location: string } };
export interface List {
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: Resource[];
}

/** A directory of Acme Retail. Its answers are read by an implementation of SCIM that is not ours. */
export async function startDirectory(stage: Awaited<ReturnType<typeof signOnStage>>, fields: object = {}) {
  const { api, corporate } = stage;
  const provider = await stage.provider({
    issuer: 'https://login.acme.test',
    domains: [`acme-${crypto.randomUUID().slice(0, 8)}.test`],
    role_id: await stage.roleId('corporate_user'),
    department_id: await departmentOf(stage),
    follows_groups: true,
    ...fields,
  });
  const { status, body } = await corporate('POST', `/api/v1/identity-providers/${provider.id}/directory`);
  assert.equal(status, 200, JSON.stringify(body));
  const { token, url } = (body as { data: { token: string; url: string } }).data;
  const [domain] = (
    (await corporate('GET', `/api/v1/identity-providers/${provider.id}`)).body as { data: { domains: string[] } }
  ).data.domains;
  return { ...provider, ...scimClient(api.url, token), token, url, domain: domain! };
}

async function departmentOf({ one, acme }: Awaited<ReturnType<typeof signOnStage>>): Promise<number> {
  return (await one<{ id: number }>('SELECT min(id) AS id FROM department WHERE corporation_id = $1', acme)).id;
}

/** Calls as a directory with a token does. */
export function scimClient(origin: string, token: string) {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${origin}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (text !== '') assert.match(response.headers.get('content-type')!, /^application\/scim\+json/);
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
  /** Calls, and requires a status; answers the resource, which the independent implementation can read. */
  const one = async (status: number, ...args: Parameters<typeof call>): Promise<Resource> => {
    const answer = await call(...args);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    const Schema = args[1].startsWith('/Users') ? SCIMMY.Schemas.User : SCIMMY.Schemas.Group;
    assert.ok(new Schema(answer.body as object, 'out').id);
    return answer.body as Resource;
  };
  const list = async (path: string): Promise<List> => {
    const { status, body } = await call('GET', path);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(new SCIMMY.Messages.ListResponse(body as never).Resources);
    return body as List;
  };
  /** Calls, and answers status and reason of a refusal. */
  const refused = async (...args: Parameters<typeof call>): Promise<string> => {
    const { status, body } = await call(...args);
    const { schemas, scimType, status: told, detail } = body as Record<string, string>;
    assert.deepEqual(schemas, ['urn:ietf:params:scim:api:messages:2.0:Error']);
    assert.equal(told, String(status));
    assert.ok(detail);
    return [status, scimType].filter(Boolean).join(' ');
  };
  const patch = (path: string, ...Operations: object[]) =>
    one(200, 'PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations });
  return { call, one, list, refused, patch };
}

/** A new person as a directory sends them. */
export const person = (userName: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  externalId: `ext-${userName}`,
  displayName: 'Ann Cruz',
  name: { givenName: 'Ann', familyName: 'Cruz' },
  emails: [{ value: userName, type: 'work', primary: true }],
  active: true,
  ...more,
});
export const group = (displayName: string, ...members: string[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
  displayName,
  members: members.map((value) => ({ value })),
});
