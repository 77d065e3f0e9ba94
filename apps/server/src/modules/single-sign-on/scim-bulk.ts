import { z } from 'zod';
import { isObject, type Json } from './scim-attributes.ts';
import type { Directory } from './scim-directory.ts';
import { MOST_OPERATIONS } from './scim-discovery.ts';
import { ScimError } from './scim-error.ts';
import { change, KINDS, type Kind, remove } from './scim-kinds.ts';

const REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

const operation = z
  .object({
    method: z
      .string()
      .toUpperCase()
      .pipe(z.enum(['POST', 'PUT', 'PATCH', 'DELETE'])),
    path: z.string().max(300),
    bulkId: z.string().min(1).max(200).optional(),
    version: z.string().max(200).optional(),
    data: z.unknown().optional(),
  })
  .refine(({ method, bulkId }) => method !== 'POST' || bulkId !== undefined, {
    path: ['bulkId'],
    message: 'is required to create a resource',
  });
type Operation = z.output<typeof operation>;

const bulk = z.object({
  schemas: z.array(z.string()).refine((schemas) => schemas.includes(REQUEST), { message: `must be ${REQUEST}` }),
  failOnErrors: z.int().min(1).nullish(),
  Operations: z.array(operation).min(1),
});

/** Answer of a refused operation. */
export interface BulkAnswer {
  status: number;
  body: Json;
}
interface Call {
  /** Address below which resources are. */
  base: string;
  /** Does a piece of work in a transaction of its own. */
  inTransaction: <Result>(work: (directory: Directory) => Promise<Result>) => Promise<Result>;
  /** Returns the answer of an error. */
  refuse(error: Error): BulkAnswer;
}

/**
 * Does the operations of a bulk request by RFC 7644, section 3.7, and answers its response. Each operation is whole in
 * itself: one that is refused changes nothing, and the others are done. Those that name a resource by the `bulkId` of
 * another operation come after it. Throws 413 for too many operations, and `invalidSyntax`.
 */
export async function runBulk({ base, inTransaction, refuse }: Call, body: unknown): Promise<Json> {
  const { failOnErrors, Operations } = readBulk(body);
  const ids = new Map<string, string>();
  const answers = new Map<Operation, Json>();
  let errors = 0;
  for (const each of inOrder(Operations)) {
    if (failOnErrors != null && errors >= failOnErrors) break;
    try {
      const resource = await inTransaction((directory) => perform(directory, each, ids));
      if (resource && each.method === 'POST') ids.set(each.bulkId!, String(resource['id']));
      answers.set(each, answerOf(base, each, STATUS[each.method], resource));
    } catch (error) {
      errors += 1;
      const { status, body: response } = refuse(error as Error);
      answers.set(each, { ...answerOf(base, each, status), response });
    }
  }
  return { schemas: [RESPONSE], Operations: Operations.flatMap((each) => answers.get(each) ?? []) };
}

function readBulk(body: unknown): z.output<typeof bulk> {
  if (isObject(body) && Array.isArray(body['Operations']) && body['Operations'].length > MOST_OPERATIONS)
    throw new ScimError(413, `Operations: at most ${MOST_OPERATIONS} are done at a time.`);
  const read = bulk.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ScimError(400, `${issue!.path.join('.') || 'body'}: ${issue!.message}`, 'invalidSyntax');
  }
  const named = read.data.Operations.flatMap(({ method, bulkId }) => (method === 'POST' ? [bulkId!] : []));
  const twice = named.find((bulkId, place) => named.indexOf(bulkId) !== place);
  if (twice !== undefined)
    throw new ScimError(400, `Operations: the bulkId ${twice} names two operations.`, 'invalidValue');
  return read.data;
}

/** Orders operations so that each comes after those whose `bulkId` it names. In a circle all fail. */
function inOrder(operations: readonly Operation[]): Operation[] {
  const makers = new Map(operations.flatMap((each) => (each.method === 'POST' ? [[each.bulkId!, each] as const] : [])));
  const ordered = new Set<Operation>();
  const begun = new Set<Operation>();
  const add = (each: Operation) => {
    if (begun.has(each)) return;
    begun.add(each);
    for (const bulkId of namedIn(each.path, each.data)) {
      const maker = makers.get(bulkId);
      if (maker) add(maker);
    }
    ordered.add(each);
  };
  operations.forEach(add);
  return [...ordered];
}

const NAMED = /^bulkId:(.+)$/;

/** Returns each `bulkId` that a path and data name. */
function namedIn(path: string, data: unknown): string[] {
  const found: string[] = [];
  withIds(data, (bulkId) => {
    found.push(bulkId);
    return '';
  });
  const inPath = NAMED.exec(path.split('/')[2] ?? '')?.[1];
  return inPath === undefined ? found : [...found, inPath];
}

/** Returns data with each value that names another operation, such as `{ "value": "bulkId:ann" }`, replaced. */
function withIds(data: unknown, idOf: (bulkId: string) => string): unknown {
  if (Array.isArray(data)) return data.map((each) => withIds(each, idOf));
  if (!isObject(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const bulkId = key.toLowerCase() === 'value' && typeof value === 'string' ? NAMED.exec(value)?.[1] : undefined;
      return [key, bulkId === undefined ? withIds(value, idOf) : idOf(bulkId)];
    }),
  );
}

/** Status of an operation that was done. */
const STATUS: Readonly<Record<Operation['method'], number>> = { POST: 201, PUT: 200, PATCH: 200, DELETE: 204 };

/** Path of an operation: the kind, and the id of what is there already. */
const PATH = /^\/(Users|Groups)(?:\/([^/?#]+))?$/;

async function perform(
  directory: Directory,
  { method, path, version, data }: Operation,
  ids: ReadonlyMap<string, string>,
): Promise<Json | undefined> {
  const idOf = (bulkId: string): string => {
    const id = ids.get(bulkId);
    if (id === undefined) throw new ScimError(409, `The bulkId ${bulkId} names no resource that was created.`);
    return id;
  };
  const [, kind, written] = PATH.exec(path) ?? [];
  if (kind === undefined || (method === 'POST') !== (written === undefined))
    throw new ScimError(400, `${method} cannot be done at the path ${path}.`, 'invalidPath');
  const name = kind as Kind;
  const body = withIds(data, idOf);
  if (method === 'POST') return KINDS[name].create(directory, body);
  const bulkId = NAMED.exec(written!)?.[1];
  const id = bulkId === undefined ? written! : idOf(bulkId);
  if (method !== 'DELETE') return change(directory, name, id, { method, body, version });
  await remove(directory, name, id, version);
  return undefined;
}

function answerOf(base: string, { method, bulkId, path }: Operation, status: number, resource?: Json): Json {
  const meta = (resource?.['meta'] ?? {}) as { location?: string; version?: string };
  // A resource that was not created is nowhere.
  const location = meta.location ?? (method === 'POST' ? undefined : `${base}${path}`);
  return {
    method,
    ...(bulkId !== undefined && { bulkId }),
    ...(location && { location }),
    ...(meta.version && { version: meta.version }),
    status: String(status),
  };
}
