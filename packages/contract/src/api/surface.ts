import { openApiDocument } from './openapi.ts';
import type { OpenApiSchema as Schema } from './openapi-schema.ts';

interface Call {
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Call>>;
  webhooks: Record<string, Record<string, Call>>;
  components: { schemas: Record<string, Schema> };
}

/**
 * Returns what programs rely on, one line for each call, field and choice: `>` is what a call takes, with `!` if it must be
 * there, and `<` what it answers. A published line never goes away, and no line of a published call gets a `!`.
 */
export function apiSurface(): string[] {
  const { paths, webhooks, components } = openApiDocument({ title: 'API', url: '/' }) as unknown as Document;
  const lines = new Set<string>();

  /** Adds the lines of a schema below a place. `seen` ends schemas that hold themselves. */
  function walk(given: Schema, place: string, mark: (required: boolean) => string, seen: readonly string[] = []): void {
    const name = given.$ref?.split('/').at(-1);
    if (name !== undefined && seen.includes(name)) return;
    const schema = name === undefined ? given : components.schemas[name]!;
    const inside = name === undefined ? seen : [...seen, name];
    for (const each of schema.anyOf ?? schema.oneOf ?? []) walk(each, place, mark, inside);
    for (const value of schema.enum ?? []) lines.add(`${place} = ${JSON.stringify(value)}`);
    if (schema.const !== undefined) lines.add(`${place} = ${JSON.stringify(schema.const)}`);
    if (schema.items) walk(schema.items, `${place}[]`, mark, inside);
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${place}.*`, mark, inside);
    for (const [field, each] of Object.entries(schema.properties ?? {})) {
      const own = `${place}.${field}`;
      lines.add(own + mark(schema.required?.includes(field) ?? false));
      walk(each, own, mark, inside);
    }
  }
  const taken = (required: boolean) => (required ? ' !' : '');
  for (const [path, methods] of Object.entries(paths))
    for (const [method, call] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      lines.add(name);
      for (const { name: own, in: where, required } of call.parameters)
        lines.add(`${name} > ${where}.${own}${taken(required)}`);
      for (const { schema } of Object.values(call.requestBody?.content ?? {})) walk(schema, `${name} > body`, taken);
      for (const [status, { content = {} }] of Object.entries(call.responses))
        if (status.startsWith('2'))
          for (const [type, { schema }] of Object.entries(content)) {
            lines.add(`${name} < ${status} ${type}`);
            walk(schema, `${name} < body`, () => '');
          }
    }
  for (const [type, { post }] of Object.entries(webhooks)) {
    lines.add(`callback ${type}`);
    walk(post!.requestBody!.content['application/json']!.schema, `callback ${type} < body`, () => '');
  }
  return [...lines].sort();
}
