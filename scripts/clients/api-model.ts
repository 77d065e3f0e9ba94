import { openApiDocument } from '@heliograph/contract/api/openapi';
import type { OpenApiSchema as Schema } from '@heliograph/contract/api/openapi-schema';
import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';

// The public API as generators of clients see it: named types, and calls.

/** Type of a value. */
export type Type =
  | { kind: 'plain'; name: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'any' }
  | { kind: 'one-of'; values: readonly unknown[] }
  | { kind: 'list'; of: Type }
  | { kind: 'map'; of: Type }
  | { kind: 'union'; of: readonly Type[] }
  | { kind: 'record'; name: string };

/** Record with named fields, or another name of a type. */
export interface RecordType {
  name: string;
  alias?: Type;
  fields: { name: string; type: Type; required: boolean; description: string | undefined }[];
}

/** One call of the API. */
export interface ModelCall {
  name: string;
  method: string;
  path: string;
  summary: string;
  /** Names of the parameters within the path, in their order. */
  inPath: readonly string[];
  inQuery: readonly { name: string; type: Type; required: boolean; description: string | undefined }[];
  body: string | null;
  /** Name of the record of the answer; `file` for bytes, `stream` for events. */
  reply: { record: string } | 'file' | 'stream';
  idempotent: boolean;
  /** Whether the call may be made again after an answer was lost: it does nothing twice. */
  repeatable: boolean;
}

/** Calls of POST that read, or that set what is the same the second time. */
const SAME_AGAIN = new Set(['estimateMessage', 'saveContact', 'saveContacts', 'changeSegment', 'moveEventGroup']);

const capital = (name: string) => name[0]!.toUpperCase() + name.slice(1);
const pascal = (name: string) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => (part === '' ? '' : capital(part)))
    .join('');

/** Returns all records and calls of the public API. */
export function apiModel(): { records: RecordType[]; calls: ModelCall[] } {
  const document = openApiDocument({ title: '', url: '' }) as unknown as {
    components: { schemas: Record<string, Schema> };
    paths: Record<
      string,
      Record<
        string,
        {
          parameters: { name: string; in: string; schema: Schema; description?: string; required: boolean }[];
          operationId: string;
        }
      >
    >;
  };
  const records: RecordType[] = [];
  /** Names of records by their fields. */
  const known = new Map<string, string>();

  function typeOf(schema: Schema, name: string): Type {
    if (schema.$ref) return { kind: 'record', name: schema.$ref.split('/').at(-1)! };
    if (schema.const !== undefined) return { kind: 'one-of', values: [schema.const] };
    if (schema.enum) return { kind: 'one-of', values: schema.enum };
    const either = schema.anyOf ?? schema.oneOf;
    if (either) return union(either.map((each, place) => typeOf(each, `${name}${place === 0 ? '' : place + 1}`)));
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, name)));
    switch (schema.type) {
      case 'string':
      case 'integer':
      case 'number':
      case 'boolean':
      case 'null':
        return { kind: 'plain', name: schema.type };
      case 'array':
        return { kind: 'list', of: typeOf(schema.items ?? {}, `${name}Item`) };
      case 'object':
        if (schema.properties) return { kind: 'record', name: recordOf(schema, name) };
        return {
          kind: 'map',
          of:
            typeof schema.additionalProperties === 'object'
              ? typeOf(schema.additionalProperties, `${name}Value`)
              : { kind: 'plain', name: 'any' },
        };
      default:
        return { kind: 'plain', name: 'any' };
    }
  }

  function recordOf({ properties = {}, required = [] }: Schema, name: string): string {
    const fields = Object.entries(properties).map(([field, schema]) => ({
      name: field,
      type: typeOf(schema, `${name}${pascal(field)}`),
      required: required.includes(field),
      description: schema.description,
    }));
    // Conditions of segments are the same at each depth.
    const text = JSON.stringify(fields);
    const same = known.get(text);
    if (same !== undefined) {
      if (!name.includes('Item')) records.push({ name, alias: { kind: 'record', name: same }, fields: [] });
      return same;
    }
    known.set(text, name);
    records.push({ name, fields });
    return name;
  }

  const union = (types: readonly Type[]): Type => {
    const flat = types.flatMap((type) => (type.kind === 'union' ? type.of : [type]));
    const known = [...new Map(flat.map((type) => [JSON.stringify(type), type])).values()];
    return known.length === 1 ? known[0]! : { kind: 'union', of: known };
  };

  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const type: Type = schema.properties ? { kind: 'record', name: recordOf(schema, name) } : typeOf(schema, name);
    if (type.kind !== 'record') records.push({ name, alias: type, fields: [] });
  }
  const calls = PUBLIC_OPERATIONS.map((o): ModelCall => {
    const path = o.path.replaceAll(/:(\w+)/g, '{$1}');
    const { parameters } = document.paths[path]![o.method.toLowerCase()]!;
    return {
      name: o.name,
      method: o.method,
      path,
      summary: o.summary,
      inPath: parameters.filter((each) => each.in === 'path').map(({ name }) => name),
      inQuery: parameters
        .filter((each) => each.in === 'query')
        .map(({ name, schema, required, description }) => ({
          name,
          required,
          description,
          type: typeOf(schema, `${capital(o.name)}${pascal(name)}`),
        })),
      body: o.body ? `${capital(o.name)}Request` : null,
      reply: o.media === 'text/event-stream' ? 'stream' : o.media ? 'file' : { record: `${capital(o.name)}Reply` },
      idempotent: o.idempotent,
      repeatable: o.method !== 'POST' || o.idempotent || SAME_AGAIN.has(o.name),
    };
  });
  return { records, calls };
}
