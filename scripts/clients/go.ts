import { apiModel, type ModelCall, type RecordType, type Type } from './api-model.ts';

const PLAIN = {
  string: 'string',
  integer: 'int64',
  number: 'float64',
  boolean: 'bool',
  null: 'any',
  any: 'any',
} as const;
/** Parts of names that Go writes in capitals. */
const INITIALS = new Set(['id', 'url', 'ip', 'api', 'pdf', 'xml', 'otp']);
const WORDS = new Set(['type', 'range', 'func', 'map', 'var', 'import', 'package', 'select']);

const exported = (name: string) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => (INITIALS.has(part) ? part.toUpperCase() : part.slice(0, 1).toUpperCase() + part.slice(1)))
    .join('');
const argument = (name: string) =>
  WORDS.has(name) ? `${name}_` : name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const isNull = (type: Type) => type.kind === 'plain' && type.name === 'null';

/** Returns the type of a value. One of several kinds of records stays JSON, which the caller decodes by its `type`. */
function typeOf(type: Type): string {
  switch (type.kind) {
    case 'plain':
      return PLAIN[type.name];
    case 'one-of':
      return type.values.every((value) => typeof value === 'string')
        ? 'string'
        : typeof type.values[0] === 'boolean'
          ? 'bool'
          : 'json.RawMessage';
    case 'list':
      return `[]${typeOf(type.of)}`;
    case 'map':
      return `map[string]${typeOf(type.of)}`;
    case 'union': {
      const others = type.of.filter((each) => !isNull(each));
      if (others.length > 1)
        return new Set(others.map(typeOf)).size === 1 ? pointerTo(typeOf(others[0]!), type) : 'json.RawMessage';
      return pointerTo(typeOf(others[0]!), type);
    }
    case 'record':
      return type.name;
  }
}

const pointerTo = (name: string, { of }: { of: readonly Type[] }) =>
  of.some(isNull) && !/^(\[\]|map|any|json|\*)/.test(name) ? `*${name}` : name;

/** Returns the type of a field that may be left out. */
const optional = (name: string) => (/^(\[\]|map|any|json|\*)/.test(name) ? name : `*${name}`);

const commented = (text: string | undefined, indent: string) =>
  text ? `${indent}// ${text.replaceAll('\n', ' ')}\n` : '';

function recordText({ name, alias, fields }: RecordType): string {
  if (alias) return `type ${name} = ${typeOf(alias)}\n`;
  const lines = fields.map(({ name: field, type, required, description }) => {
    const own = typeOf(type);
    const tag = required ? field : `${field},omitempty`;
    return `${commented(description, '\t')}\t${exported(field)} ${required ? own : optional(own)} \`json:"${tag}"\`\n`;
  });
  return `type ${name} struct {\n${lines.join('\n')}}\n`;
}

/** Writes the filter of a call, of which each field may be left out. */
function queryText({ name, inQuery }: ModelCall): string {
  if (inQuery.length === 0) return '';
  const fields = inQuery.map(
    ({ name: field, type, description }) =>
      `${commented(description, '\t')}\t${exported(field)} ${optional(typeOf(type))}\n`,
  );
  const set = inQuery.map(({ name: field }) => `\tadd(values, "${field}", q.${exported(field)})\n`);
  const own = `${exported(name)}Query`;
  return `// ${own} is what ${exported(name)} may be limited to.\ntype ${own} struct {\n${fields.join('\n')}}\n\nfunc (q ${own}) values() url.Values {\n\tvalues := url.Values{}\n${set.join('')}\treturn values\n}\n\n`;
}

function callText(call: ModelCall): string {
  const { name, method, path, summary, inPath, inQuery, body, reply, idempotent, repeatable } = call;
  const own = exported(name);
  const taken = [
    'ctx context.Context',
    ...inPath.map((each) => `${argument(each)} string`),
    ...(body ? [`body ${body}`] : []),
    ...(inQuery.length > 0 ? [`query ${own}Query`] : []),
    ...(idempotent ? ['options ...SendOption'] : []),
  ];
  const address = inPath
    .reduce((text, each) => text.replace(`{${each}}`, `" + url.PathEscape(${argument(each)}) + "`), `"${path}"`)
    .replace(/ \+ ""$/, '');
  const given = [
    `method: "${method}"`,
    `path: ${address}`,
    ...(inQuery.length > 0 ? ['query: query.values()'] : []),
    ...(body ? ['body: body'] : []),
    ...(idempotent ? ['key: keyOf(options)'] : []),
    ...(repeatable ? [] : ['once: true']),
  ].join(', ');
  const head = `${queryText(call)}// ${own}: ${summary[0]!.toLowerCase()}${summary.slice(1)}.\nfunc (c *Client) ${own}(${taken.join(', ')})`;
  if (reply === 'file') return `${head} ([]byte, error) {\n\treturn c.bytes(ctx, call{${given}})\n}\n`;
  const answer = (reply as { record: string }).record;
  return `${head} (*${answer}, error) {\n\tvar answer ${answer}\n\treturn &answer, c.json(ctx, call{${given}}, &answer)\n}\n`;
}

/** Writes the types and calls of the Go client as `gofmt` would: a line between fields needs no alignment. */
export function goClient(): string {
  const { records, calls } = apiModel();
  return `// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

package heliograph

import (
	"context"
	"encoding/json"
	"net/url"
)

${records.map(recordText).join('\n')}
${calls
  .filter(({ reply }) => reply !== 'stream')
  .map(callText)
  .join('\n')}`;
}
