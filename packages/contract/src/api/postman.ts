import { openApiDocument } from './openapi.ts';
import { STATUS_NAMES } from './openapi-answers.ts';

/** Variables of the collection: the address of the platform, and the API key. */
const BASE = 'baseUrl';
const KEY = 'key';
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
}
interface Call {
  tags: readonly string[];
  summary: string;
  description?: string;
  parameters: readonly Parameter[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>;
}
interface Document {
  info: { title: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, Call>>;
}

const JSON_HEADER = { key: 'Content-Type', value: 'application/json' };
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

/** Returns the request of a call. Optional parameters are there, and switched off. */
function requestOf(path: string, method: string, call: Call) {
  const of = (place: string) =>
    call.parameters
      .filter((each) => each.in === place)
      .map(({ name, required, description }) => ({
        key: name,
        value: '',
        ...(description !== undefined && { description }),
        ...(!required && place !== 'path' && { disabled: true }),
      }));
  const segments = path
    .split('/')
    .slice(1)
    .map((each) => each.replace(/^\{(\w+)\}$/, ':$1'));
  const [query, variable] = [of('query'), of('path')];
  return {
    method: method.toUpperCase(),
    header: [...(call.requestBody ? [JSON_HEADER] : []), ...of('header')],
    url: {
      raw: `{{${BASE}}}/${segments.join('/')}`,
      host: [`{{${BASE}}}`],
      path: segments,
      ...(query.length > 0 && { query }),
      ...(variable.length > 0 && { variable }),
    },
    ...(call.requestBody && {
      body: {
        mode: 'raw',
        raw: pretty(call.requestBody.content['application/json'].example ?? {}),
        options: { raw: { language: 'json' } },
      },
    }),
    ...(call.description && { description: call.description }),
  };
}

function itemOf(path: string, method: string, call: Call) {
  const request = requestOf(path, method, call);
  const [code = '200', answer] = Object.entries(call.responses).find(([each]) => each.startsWith('2')) ?? [];
  const example = answer?.content?.['application/json']?.example;
  const response =
    example === undefined
      ? []
      : [
          {
            name: call.summary,
            originalRequest: request,
            status: STATUS_NAMES[code],
            code: Number(code),
            header: [JSON_HEADER],
            body: pretty(example),
            _postman_previewlanguage: 'json',
          },
        ];
  return { name: call.summary, request, response };
}

/**
 * Returns the public API as a collection of Postman 2.1, which Bruno, Insomnia and Hoppscotch open as well. `url` is the
 * address of the platform, and `title` the name of the product.
 */
export function postmanCollection(place: { title: string; url: string }): Record<string, unknown> {
  const { info, tags, paths } = openApiDocument(place) as unknown as Document;
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ tag: call.tags[0], item: itemOf(path, method, call) })),
  );
  return {
    info: { name: info.title, description: info.description, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: `{{${KEY}}}`, type: 'string' }] },
    variable: [
      { key: BASE, value: place.url.replace(/\/$/, ''), type: 'string' },
      { key: KEY, value: '', type: 'string' },
    ],
    item: tags.flatMap(({ name, description }) => {
      const item = calls.filter(({ tag }) => tag === name).map((each) => each.item);
      return item.length > 0 ? [{ name, description, item }] : [];
    }),
  };
}
