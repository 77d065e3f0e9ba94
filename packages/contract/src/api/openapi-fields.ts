/** Schema of the document, as far as the reference draws it. */
interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
}

export interface OpenApiCall {
  operationId: string;
  summary: string;
  description?: string;
  'x-scope': string;
  parameters: readonly { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Readonly<
    Record<string, { description: string; content?: Record<string, { schema: Schema; example?: unknown }> }>
  >;
}

/** Parts of an OpenAPI 3.1 document that the reference reads. */
export interface OpenApi {
  info: { title: string; description: string };
  servers: readonly { url: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiCall>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

/** Row of a table of fields. */
export interface Field {
  name: string;
  type: string;
  required: boolean;
  description?: string | undefined;
}

/** Returns the schema that a reference names. */
export function resolved(schema: Schema, document: OpenApi): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

/** Returns a type in a word or two. */
export function typeOf(given: Schema, document: OpenApi): string {
  const schema = resolved(given, document);
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return [...new Set(several.map((each) => typeOf(each, document)))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items ?? {}, document)}[]`;
  const name = typeof schema.type === 'string' ? schema.type : (schema.type ?? []).join(' | ');
  return [schema.format ?? name, schema.default === undefined ? '' : `= ${JSON.stringify(schema.default)}`]
    .join(' ')
    .trim();
}

/** Returns the fields of an object, followed by those of the objects it holds. */
export function fieldsOfSchema(schema: Schema, document: OpenApi, before = '', depth = 0): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const own = resolved(given, document);
    const inside = own.type === 'array' ? resolved(own.items ?? {}, document) : own;
    const path = `${before}${name}${own.type === 'array' && inside.properties ? '[]' : ''}`;
    const field = {
      name: path,
      type: typeOf(own, document),
      required: schema.required?.includes(name) ?? false,
      description: given.description ?? own.description,
    };
    return [field, ...(depth < 2 ? fieldsOfSchema(inside, document, `${path}.`, depth + 1) : [])];
  });
}

/** Returns the parameters of a call that stand in one place, as fields. */
export const parametersOf = (call: OpenApiCall, place: string, document: OpenApi): Field[] =>
  call.parameters
    .filter((each) => each.in === place)
    .map(({ name, required, description, schema }) => ({
      name,
      required,
      description,
      type: typeOf(schema, document),
    }));
