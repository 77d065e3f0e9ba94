import {
  type ApiClass,
  apiClasses,
  type ClassCall,
  type ClassField,
  camel,
  constantsOf,
  type Shape,
} from './classes.ts';

const RESERVED = new Set(['class', 'default', 'new', 'package', 'import', 'public', 'switch', 'case', 'for', 'wait']);
const PLAIN = { string: 'String', number: 'BigDecimal', any: 'Object' } as const;

const named = (name: string) => (RESERVED.has(name) ? `${name}_` : camel(name));
const capital = (name: string) => name[0]!.toUpperCase() + name.slice(1);
const documented = (text: string) =>
  text
    .replaceAll('\n', ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('@', '&#64;')
    .replaceAll('*/', '*&#47;')
    .replaceAll(/`([^`]+)`/g, '{@code $1}');

/** Returns a type; `boxed` for one that may be null. */
function typeOf(shape: Shape, boxed: boolean): string {
  switch (shape.kind) {
    case 'integer':
      return boxed ? 'Long' : 'long';
    case 'boolean':
      return boxed ? 'Boolean' : 'boolean';
    case 'list':
      return `List<${typeOf(shape.of, true)}>`;
    case 'map':
      return `Map<String, ${typeOf(shape.of, true)}>`;
    case 'record':
      return shape.name;
    default:
      return PLAIN[shape.kind];
  }
}

const mayBeNull = ({ shape, required }: ClassField) => shape.nullable || !required;

/** Sentence about the values of a field, for those who read the documentation. */
function about(field: ClassField): string {
  const known = constantsOf(field).map(({ value }) => `{@code ${value}}`);
  return [
    documented(field.description ?? ''),
    known.length > 0 && known.length < 20 ? `One of ${known.join(', ')}.` : '',
    mayBeNull(field) && !(field.description ?? '').includes('ull') ? 'May be null.' : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const constantsText = (fields: readonly ClassField[]) =>
  fields
    .flatMap(constantsOf)
    .map(({ name, value }) => `        public static final String ${name.toUpperCase()} = "${value}";\n`)
    .join('');

function recordText({ name, fields }: ApiClass): string {
  const docs = fields.flatMap((field) => {
    const words = about(field);
    return words ? [`     * @param ${named(field.name)} ${words}\n`] : [];
  });
  const parts = fields.map((field) => `            ${typeOf(field.shape, mayBeNull(field))} ${named(field.name)}`);
  const constants = constantsText(fields);
  const body = constants ? `{\n${constants}    }` : '{}';
  return `${docs.length > 0 ? `    /**\n${docs.join('')}     */\n` : ''}    public record ${name}(\n${parts.join(',\n')}) ${body}\n`;
}

/** Writes a class with a method for each field that may be set. */
function setterText(name: string, fields: readonly ClassField[], words: string, paged = false): string {
  const methods = fields.map((field) => {
    const { name: own, shape, description, required } = field;
    const clears = shape.nullable && shape.kind !== 'any' ? 'OrNull' : '';
    const set = (value: string) => `return set${clears}("${own}", ${value});`;
    const known = constantsOf(field).map(({ value }) => `{@code ${value}}`);
    const said = [
      required ? 'Required.' : '',
      documented(description ?? ''),
      known.length > 0 ? `One of ${known.join(', ')}.` : '',
    ].filter((part) => part !== '');
    const doc = said.length > 0 ? `        /** ${said.join(' ')} */\n` : '';
    const head = (type: string) => `        public ${name} ${named(own)}(${type} value)`;
    const typed = typeOf(shape, shape.nullable);
    const override = paged && own === 'cursor' ? '        @Override\n' : '';
    const each = shape.kind === 'list' && shape.of.kind !== 'any' ? typeOf(shape.of, true) : null;
    return (
      `${doc}${override}${head(typed)} {\n            ${set('value')}\n        }\n` +
      (each ? `\n${doc}${head(`${each}...`)} {\n            ${set('List.of(value)')}\n        }\n` : '')
    );
  });
  const constants = constantsText(fields);
  const base = paged ? `PagedQuery<${name}>` : `Fields<${name}>`;
  return `    /** ${words} */\n    public static final class ${name} extends ${base} {\n${constants ? `${constants}\n` : ''}${methods.join('\n')}    }\n`;
}

const isPaged = ({ answer }: ClassCall) => typeof answer === 'object' && 'page' in answer;

function queryText(call: ClassCall): string[] {
  if (call.inQuery.length === 0) return [];
  return [setterText(`${capital(call.name)}Query`, call.inQuery, `Limits of {@code ${call.name}}.`, isPaged(call))];
}

/** Writes the types of the Java client. */
export function javaTypes(): string {
  const { classes, calls } = apiClasses();
  const texts = classes.map((each) =>
    each.sent ? setterText(each.name, each.fields, 'Part of a request.') : recordText(each),
  );
  return `// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

package heliograph;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** Types of the API: records of answers, and what requests are made of. */
public final class Api {
    private Api() {}

${[...texts, ...calls.flatMap(queryText)].join('\n')}}
`;
}

function callText(call: ClassCall): string[] {
  const { name, method, path, summary, inPath, inQuery, body, answer, idempotent, repeatable } = call;
  if (answer === 'stream') return [];
  const taken = [
    ...inPath.map((each) => `String ${named(each)}`),
    ...(body && body !== 'empty' ? [`Api.${body} body`] : []),
    ...(inQuery.length > 0 ? [`Api.${capital(name)}Query query`] : []),
  ];
  const address = inPath.reduce(
    (text, each) => text.replace(`{${each}}`, `" + segment(${named(each)}) + "`),
    `"${path}"`,
  );
  const made = [
    `new Call("${method}", ${address.replace(/ \+ ""$/, '')})`,
    ...(inQuery.length > 0 ? ['query(query)'] : []),
    ...(body ? [`body(${body === 'empty' ? 'Map.of()' : 'body'})`] : []),
    ...(idempotent ? ['key(idempotencyKey)'] : []),
    ...(repeatable ? [] : ['once()']),
  ].join('.');
  const [type, value] =
    answer === 'file'
      ? ['byte[]', `bytes(${made})`]
      : 'page' in answer
        ? [`Page<${inApi(answer.page)}>`, `page(${inApi(answer.page)}.class, ${made})`]
        : [`Api.${answer.record}`, `json(Api.${answer.record}.class, ${made})`];
  const doc = (more: string) => `    /** ${documented(summary)}.${more} */\n`;
  const head = (all: readonly string[]) => `    public ${type} ${name}(${all.join(', ')})`;
  if (!idempotent) return [`${doc('')}${head(taken)} {\n        return ${value};\n    }\n`];
  const given = [...inPath.map(named), 'body'].join(', ');
  return [
    `${doc('')}${head(taken)} {\n        return ${name}(${given}, null);\n    }\n`,
    `${doc(' The key names the request, so that the same request after a restart does nothing twice.')}${head([...taken, 'String idempotencyKey'])} {\n        return ${value};\n    }\n`,
  ];
}

const inApi = (name: string) => (name === 'Event' ? name : `Api.${name}`);

/** Writes the calls of the Java client. */
export const javaCalls = () => `// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

package heliograph;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One method for each call of the API. All throw {@link ApiException} and {@link ConnectionException}. */
public abstract class Calls {
    Calls() {}

    abstract <T> T json(Class<T> type, Call call);

    abstract <T> Page<T> page(Class<T> type, Call call);

    abstract byte[] bytes(Call call);

    private static String segment(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

${apiClasses().calls.flatMap(callText).join('\n')}}
`;

/** Writes the version of the Java client. */
export const javaVersion = (version: string) => `// Made by scripts/generate-clients.ts.

package heliograph;

final class Version {
    /** Version of the platform that this client was made for. */
    static final String NUMBER = "${version}";

    private Version() {}
}
`;
