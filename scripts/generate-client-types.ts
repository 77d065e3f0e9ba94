import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { COMMON_ERRORS, openApiDocument } from '@heliograph/contract/api/openapi';
import type { OpenApiSchema as Schema } from '@heliograph/contract/api/openapi-schema';
import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';

// Writes the types of the client from the document of the public API, because the package imports nothing of this
// repository.

export const TYPES_FILE = resolve(import.meta.dirname, '../packages/client/src/types.ts');

const union = (types: string[]) => [...new Set(types)].join(' | ');
const literals = (values: readonly unknown[]) => union(values.map((value) => `'${value}'`));

function typeOf(schema: Schema, indent: string): string {
  if (schema.const !== undefined) return `'${schema.const}'`;
  if (schema.enum) return literals(schema.enum);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return union(either.map((each) => typeOf(each, indent)));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `Array<${typeOf(schema.items ?? {}, indent)}>`;
    case 'object':
      return objectOf(schema, indent);
    default:
      return 'unknown';
  }
}

function objectOf({ properties, required = [], additionalProperties, propertyNames }: Schema, indent: string): string {
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown';
    return propertyNames?.enum ? `{ [Key in ${literals(propertyNames.enum)}]?: ${value} }` : `Record<string, ${value}>`;
  }
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const words = [
      schema.description,
      schema.default !== undefined && `Default: \`${JSON.stringify(schema.default)}\`.`,
    ];
    const said = words.filter(Boolean).join(' ');
    const optional = required.includes(name) ? '' : '?';
    const type = typeOf(schema, inner);
    return `${said && `${inner}/** ${said} */\n`}${inner}${name}${optional}: ${type}${optional && ' | undefined'};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

/** Returns the text of the client's types, as the contract is now. */
export function clientTypes(): string {
  const document = openApiDocument({ title: '', url: '' }) as { components: { schemas: Record<string, Schema> } };
  const known = new Map<string, string>();
  const types = Object.entries(document.components.schemas).map(([name, schema]) => {
    const type = typeOf(schema, '');
    const same = known.get(type);
    if (!same) known.set(type, name);
    const said = schema.description ? `/** ${schema.description} */\n` : '';
    return `${said}export type ${name} = ${same ?? type};\n`;
  });
  const codes = [...COMMON_ERRORS, ...PUBLIC_OPERATIONS.flatMap(({ errors }) => errors)];
  return `// Made by scripts/generate-client-types.ts of packages/contract/src/api: change it there.

/** Error codes of the API. More may be added. */
export type ErrorCode = ${literals(codes)};

${types.join('\n')}`;
}

if (import.meta.main) writeFileSync(TYPES_FILE, clientTypes());
