import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';
import { EVENT_TYPES } from '@heliograph/contract/kernel/events';
import en from '@heliograph/contract/messages/en/api.json' with { type: 'json' };
import { apiModel, type ModelCall, type RecordType, type Type } from './api-model.ts';

/** Calls that a node of its own makes, that have no end, or whose answers are files. */
const NOT_HERE = new Set([
  'listCallbacks',
  'addCallback',
  'removeCallback',
  'sampleEvents',
  'streamEvents',
  'moveEventGroup',
]);
/** Words that titles leave small. */
const SMALL = new Set([
  'a',
  'an',
  'and',
  'as',
  'at',
  'by',
  'for',
  'from',
  'in',
  'of',
  'on',
  'or',
  'that',
  'the',
  'to',
  'with',
]);

const titled = (text: string) =>
  text
    .split(/[ _]/)
    .map((word, place) => (place > 0 && SMALL.has(word) ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join(' ');
const titleOf = (field: string) => titled(field).replaceAll(/\b(Id|Url|Ip)\b/g, (word) => word.toUpperCase());

interface Field {
  name: string;
  type: Type;
  required: boolean;
  description: string | undefined;
}

const isNull = (type: Type) => type.kind === 'plain' && type.name === 'null';

/** Returns what a person fills in for a value. What has parts of its own is written as JSON. */
function inputOf(type: Type, records: ReadonlyMap<string, RecordType>): Record<string, unknown> {
  switch (type.kind) {
    case 'plain':
      if (type.name === 'integer' || type.name === 'number') return { type: 'number', default: 0 };
      if (type.name === 'boolean') return { type: 'boolean', default: false };
      return type.name === 'any' ? { type: 'json', default: 'null' } : { type: 'string', default: '' };
    case 'one-of':
      if (type.values.some((value) => typeof value !== 'string')) return { type: 'json', default: 'null' };
      return {
        type: 'options',
        options: type.values.map((value) => ({ name: titleOf(String(value)), value })),
        default: type.values[0],
      };
    case 'union': {
      const others = type.of.filter((each) => !isNull(each));
      return others.length === 1 ? inputOf(others[0]!, records) : { type: 'json', default: 'null' };
    }
    case 'record': {
      const { alias } = records.get(type.name) ?? {};
      return alias ? inputOf(alias, records) : { type: 'json', default: '{}' };
    }
    case 'list':
      return type.of.kind === 'plain' && type.of.name === 'string'
        ? { type: 'string', typeOptions: { multipleValues: true }, default: [] }
        : { type: 'json', default: '[]' };
    case 'map':
      return { type: 'json', default: '{}' };
  }
}

function property(field: Field, place: 'body' | 'query', records: ReadonlyMap<string, RecordType>) {
  const input = inputOf(field.type, records);
  const value =
    input['type'] === 'json' ? { value: '={{ typeof $value === "string" ? JSON.parse($value) : $value }}' } : {};
  return {
    displayName: titleOf(field.name),
    name: field.name,
    ...input,
    ...(field.description && { description: field.description.replaceAll('`', '') }),
    routing: { send: { type: place, property: field.name, ...value } },
  };
}

/** Returns the fields of a call: those that are needed one by one, and the others to be added. */
function fieldsOf(
  call: ModelCall,
  resource: string,
  records: ReadonlyMap<string, RecordType>,
  paged: boolean,
): unknown[] {
  const displayOptions = { show: { resource: [resource], operation: [call.name] } };
  const inBody = call.body ? (records.get(call.body)?.fields ?? []) : [];
  const all = [
    ...inBody.map((field) => ({ field, place: 'body' as const })),
    ...call.inQuery
      .filter(({ name }) => !(paged && (name === 'cursor' || name === 'limit')))
      .map((field) => ({ field, place: 'query' as const })),
  ];
  const needed = all.filter(({ field }) => field.required);
  const others = all.filter(({ field }) => !field.required).sort((a, b) => (a.field.name < b.field.name ? -1 : 1));
  return [
    ...call.inPath.map((name) => ({
      displayName: titleOf(name),
      name,
      type: 'string',
      required: true,
      default: '',
      displayOptions,
    })),
    ...needed.map(({ field, place }) => ({ ...property(field, place, records), required: true, displayOptions })),
    ...(paged ? pageFields(displayOptions) : []),
    ...(others.length === 0
      ? []
      : [
          {
            displayName: 'Additional Fields',
            name: 'additionalFields',
            type: 'collection',
            placeholder: 'Add Field',
            default: {},
            displayOptions,
            options: others.map(({ field, place }) => property(field, place, records)),
          },
        ]),
  ];
}

const pageFields = (displayOptions: { show: object }) => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions,
    routing: {
      send: { paginate: '={{ $value }}' },
      operations: { pagination: '«PAGES»' },
    },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { ...displayOptions.show, returnAll: [false] } },
    routing: { send: { type: 'query', property: 'limit' }, output: { maxResults: '={{ $value }}' } },
  },
];

/** Returns a list as code, one element a line. A name in «» stands bare. */
const written = (list: readonly unknown[]) =>
  `[\n${list.map((each) => `  ${JSON.stringify(each)},\n`).join('')}]`.replaceAll(/"«(\w+)»"/g, '$1');

/** Writes the properties of the node that makes calls. */
export function n8nOperations(): string {
  const { records, calls } = apiModel();
  const known = new Map(records.map((record) => [record.name, record]));
  const tags = new Map(PUBLIC_OPERATIONS.map(({ name, tag }) => [name, tag]));
  const here = calls.filter(({ name, reply }) => !NOT_HERE.has(name) && typeof reply === 'object');
  const byTag = Map.groupBy(here, ({ name }) => tags.get(name)!);
  const properties: unknown[] = [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: [...byTag.keys()].map((tag) => ({ name: tag, value: tag.toLowerCase() })),
      default: 'messages',
    },
  ];
  for (const [tag, own] of byTag) {
    const resource = tag.toLowerCase();
    const pages = (call: ModelCall) => call.inQuery.some(({ name }) => name === 'cursor');
    properties.push(
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        displayOptions: { show: { resource: [resource] } },
        options: own.map((call) => ({
          name: titled(call.summary),
          value: call.name,
          action: call.summary,
          routing: {
            request: {
              method: call.method,
              url: call.inPath.reduce(
                (path, name) => path.replace(`{${name}}`, `{{ encodeURIComponent($parameter["${name}"]) }}`),
                call.inPath.length > 0 ? `=${call.path}` : call.path,
              ),
            },
            ...(call.idempotent && { send: { preSend: ['«addIdempotencyKey»'] } }),
            ...(pages(call) && {
              output: { postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }] },
            }),
          },
        })),
        default: own[0]!.name,
      },
      ...own.flatMap((call) => fieldsOf(call, resource, known, pages(call))),
    );
  }
  return `// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.
import type { INodeProperties } from 'n8n-workflow';
import { addIdempotencyKey } from './idempotency-key.ts';
import { PAGES } from './pages.ts';

export const PROPERTIES: INodeProperties[] = ${written(properties)};
`;
}

/** Writes the choices of events. */
export function n8nEvents(): string {
  const words = (type: string) =>
    type.split('.').reduce<unknown>((tree, part) => (tree as Record<string, unknown>)[part], en.event_type) as string;
  const options = EVENT_TYPES.map((type) => ({ name: titled(words(type)), value: type, description: type }));
  return `// Made by scripts/generate-clients.ts of packages/contract/src/kernel/events.ts: change it there.
import type { INodePropertyOptions } from 'n8n-workflow';

export const EVENT_OPTIONS: INodePropertyOptions[] = ${written(options)};
`;
}
