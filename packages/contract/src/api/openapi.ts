import { z } from 'zod';
import { API_TAGS, type PublicOperation } from '../kernel/public-operation.ts';
import { CALLBACKS } from './event.ts';
import { answersOf, HEADERS, type Json, PROBLEM } from './openapi-answers.ts';
import { PUBLIC_OPERATIONS } from './operations.ts';
import { REPLY_EXAMPLES } from './reply-examples.ts';

export { COMMON_ERRORS } from './openapi-answers.ts';

/**
 * Returns a JSON Schema that all kinds of programs can use. Every language reads its regular expressions, and our
 * answers may get more fields. Optional fields of a request have no `default`, because client generators then require
 * the field; the description names the default instead.
 */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output' | 'query'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: io === 'output' ? 'output' : 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.pattern) jsonSchema.pattern = jsonSchema.pattern.replace(CONTROL, PLAIN_CONTROL);
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (io !== 'input' || jsonSchema.default === undefined) return;
      const said = `Default: \`${JSON.stringify(jsonSchema.default)}\`.`;
      jsonSchema.description = jsonSchema.description ? `${jsonSchema.description} ${said}` : said;
      delete jsonSchema.default;
    },
  }) as Json;
  return rest;
};

/**
 * Control characters, and single surrogates, in JavaScript's notation, and control characters in one that every language
 * reads. Single surrogates are no text in any language.
 */
const CONTROL = /\\p\{Cc\}(\\p\{Cs\})?/;
const PLAIN_CONTROL = '\\x00-\\x1f\\x7f-\\x9f';

const capital = (name: string) => name[0]!.toUpperCase() + name.slice(1);

function parametersOf(o: PublicOperation): Json[] {
  const of = (schema: z.ZodType, where: 'path' | 'query') => {
    const { properties = {}, required = [] } = schemaOf(schema, 'query') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...each }]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: each,
    }));
  };
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Your own name for this request, such as a UUID. A repeated request within 24 hours gets the same answer, and nothing is done twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
  return [...of(o.params, 'path'), ...of(o.query, 'query'), ...(o.idempotent ? [idempotency] : [])];
}

function operationOf(o: PublicOperation): Json {
  const reference = (suffix: string) => ({ schema: { $ref: `#/components/schemas/${capital(o.name)}${suffix}` } });
  return {
    operationId: o.name,
    tags: [o.tag],
    summary: o.summary,
    ...(o.description && { description: o.description }),
    ...(o.deprecated && { deprecated: true, 'x-sunset': o.deprecated.sunset, 'x-instead': o.deprecated.instead }),
    security: [{ key: [] }],
    'x-scope': o.scope,
    parameters: parametersOf(o),
    ...(o.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { ...reference('Request'), ...(o.example !== undefined && { example: o.example }) },
        },
      },
    }),
    responses: answersOf(
      o,
      o.media
        ? { schema: { type: 'string', ...(o.media !== 'text/event-stream' && { format: 'binary' }) } }
        : { ...reference('Reply'), example: REPLY_EXAMPLES[o.name] },
    ),
  };
}

/** Returns the name of a callback's schema: `MessageDeliveredCallback` for `message.delivered`. */
const callbackName = (type: string) => `${type.split('.').map(capital).join('')}Callback`;

/** Describes the request that a receiver of callbacks gets, as Standard Webhooks 1.0 defines it. */
function callbackOf(type: string): Json {
  const header = (name: string, description: string): Json => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  return {
    post: {
      operationId: `on${callbackName(type)}`,
      tags: ['Callbacks'],
      summary: `Event \`${type}\``,
      description: 'An answer of 200 to 299 acknowledges the callback. After any other answer it is sent again.',
      security: [],
      parameters: [
        header(
          'webhook-id',
          'Id of the callback, the same at every attempt. Ignore an id that you have already processed.',
        ),
        header('webhook-timestamp', 'Seconds since 1970.'),
        header(
          'webhook-signature',
          'Signature by Standard Webhooks 1.0. While a secret changes there are several, separated by spaces.',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${callbackName(type)}` } } },
      },
      responses: { '204': { description: 'Acknowledged.' } },
    },
  };
}

/** Returns the parts of the document that are the same for every installation. */
function sharedParts(): Json {
  const paths: Record<string, Json> = {};
  const schemas: Record<string, Json> = { Problem: PROBLEM };
  for (const o of PUBLIC_OPERATIONS) {
    const path = o.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [o.method.toLowerCase()]: operationOf(o) };
    if (o.body) schemas[`${capital(o.name)}Request`] = schemaOf(o.body, 'input');
    if (!o.media) schemas[`${capital(o.name)}Reply`] = schemaOf(o.reply, 'output');
  }
  const drawn = JSON.stringify(paths);
  const isUsed = (header: string) => drawn.includes(`"#/components/headers/${header}"`);
  const callbacks = Object.entries(CALLBACKS);
  for (const [type, schema] of callbacks) schemas[callbackName(type)] = schemaOf(schema, 'output');
  return {
    tags: Object.entries({ ...API_TAGS, Callbacks: 'Events that the platform sends to your endpoints.' }).map(
      ([name, description]) => ({ name, description }),
    ),
    paths,
    webhooks: Object.fromEntries(callbacks.map(([type]) => [type, callbackOf(type)])),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'API key from the console.' } },
      headers: Object.fromEntries(Object.entries(HEADERS).filter(([name]) => isUsed(name))),
      schemas,
    },
  };
}

let shared: Json | undefined;

/**
 * Returns the OpenAPI 3.1 document of the public API at `url`, with the product's name; `/` is the document's own host.
 */
export function openApiDocument({ title, url }: { title: string; url: string }): Json {
  shared ??= sharedParts();
  return {
    openapi: '3.1.0',
    info: {
      title: `${title} API`,
      version: '1',
      description: 'Send messages, follow their states, and read replies from phones.',
      contact: { name: title, ...(url.startsWith('http') && { url }) },
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url }],
    ...shared,
  };
}
