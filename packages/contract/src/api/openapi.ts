import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../kernel/errors.ts';
import { OUTAGES } from '../kernel/outages.ts';
import type { PublicOperation } from '../kernel/public-operation.ts';
import { CALLBACKS } from './event.ts';
import { PUBLIC_OPERATIONS } from './operations.ts';

/** Errors that every call of the public API may answer. */
export const COMMON_ERRORS = [
  'malformed_request',
  'unauthenticated',
  'forbidden',
  'scope_missing',
  'address_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'too_many_requests',
  'internal_error',
  'unavailable',
  'changes_paused',
  'changes_unconfirmed',
] as const satisfies readonly ErrorCode[];

/** A JSON value of the document. */
type Json = Record<string, unknown>;

const PROBLEM: Json = {
  type: 'object',
  description:
    'RFC 9457. `code` is for programs, `message` and `errors` are for people and name the field and the fix.',
  required: ['type', 'title', 'status', 'code', 'request_id', 'message'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    reason: {
      type: 'string',
      enum: Object.keys(OUTAGES),
      description:
        'The cause of the code `unavailable`, where it is known. The header Retry-After says when to try again.',
    },
    detail: { type: 'string' },
    request_id: { type: 'string', description: 'Tell it to us when you ask about a call.' },
    message: { type: 'string' },
    errors: {
      type: 'object',
      description: 'Sentences by field; `recipients.3.to` is the `to` of the fourth recipient.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
};

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
  }) as Json;
  return rest;
};

const capital = (name: string) => name[0]!.toUpperCase() + name.slice(1);

function parametersOf(o: PublicOperation): Json[] {
  const of = (schema: z.ZodType, where: 'path' | 'query') => {
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
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
      'A name of yours for this request, such as a UUID. A repetition within 24 hours is answered as the first one, and nothing is done twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
  return [...of(o.params, 'path'), ...of(o.query, 'query'), ...(o.idempotent ? [idempotency] : [])];
}

function errorsOf(o: PublicOperation): Json {
  const byStatus = Map.groupBy([...COMMON_ERRORS, ...o.errors], (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: [...new Set(codes)].map((code) => `\`${code}\``).join(', '),
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      ]),
  );
}

function operationOf(o: PublicOperation): Json {
  const reference = (suffix: string) => ({ schema: { $ref: `#/components/schemas/${capital(o.name)}${suffix}` } });
  return {
    operationId: o.name,
    summary: o.summary,
    ...(o.description && { description: o.description }),
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
    responses: {
      [String(o.status)]: {
        description: o.status === 202 ? 'Accepted: it stands, and will be sent.' : 'Done.',
        content: { 'application/json': reference('Reply') },
      },
      ...errorsOf(o),
    },
  };
}

/** `message.delivered` as the name of a schema. */
const callbackName = (type: string) => `${type.split('.').map(capital).join('')}Callback`;

/** What receivers of callbacks are sent: Standard Webhooks 1.0. */
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
      summary: `Told of \`${type}\``,
      description: 'Any answer of 200 to 299 is an acknowledgement; after any other the callback comes again.',
      security: [],
      parameters: [
        header('webhook-id', 'The same at every try: what has been seen may be left out.'),
        header('webhook-timestamp', 'Seconds since 1970.'),
        header(
          'webhook-signature',
          'By Standard Webhooks 1.0; several, with spaces between them, while a secret changes.',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${callbackName(type)}` } } },
      },
      responses: { '204': { description: 'Taken.' } },
    },
  };
}

/** The OpenAPI 3.1 document of the public API as it is reached at `url`, under a product's name. */
export function openApiDocument({ title, url }: { title: string; url: string }): Json {
  const paths: Record<string, Json> = {};
  const schemas: Record<string, Json> = { Problem: PROBLEM };
  for (const o of PUBLIC_OPERATIONS) {
    const path = o.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [o.method.toLowerCase()]: operationOf(o) };
    if (o.body) schemas[`${capital(o.name)}Request`] = schemaOf(o.body, 'input');
    schemas[`${capital(o.name)}Reply`] = schemaOf(o.reply, 'output');
  }
  const callbacks = Object.entries(CALLBACKS);
  for (const [type, schema] of callbacks) schemas[callbackName(type)] = schemaOf(schema, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: `${title} API`,
      version: '1',
      description: 'Send messages, follow what becomes of them, and read what phones answer.',
    },
    servers: [{ url }],
    paths,
    webhooks: Object.fromEntries(callbacks.map(([type]) => [type, callbackOf(type)])),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key made in the console.' } },
      schemas,
    },
  };
}
