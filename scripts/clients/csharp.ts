import {
  type ApiClass,
  apiClasses,
  type ClassCall,
  type ClassField,
  camel,
  constantsOf,
  pascal,
  type Shape,
} from './classes.ts';

const WORDS = new Set(['class', 'event', 'operator', 'params', 'default', 'namespace', 'string']);
const PLAIN = { string: 'string', any: 'object', integer: 'long', number: 'decimal', boolean: 'bool' } as const;

const capital = (name: string) => name[0]!.toUpperCase() + name.slice(1);
const argument = (name: string) => (WORDS.has(name) ? `@${name}` : camel(name));
const escaped = (text: string) =>
  text
    .replaceAll('\n', ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/`([^`]+)`/g, '<c>$1</c>');

function typeOf(shape: Shape, nullable: boolean): string {
  switch (shape.kind) {
    case 'list':
      return `IList<${typeOf(shape.of, shape.of.nullable)}>`;
    case 'map':
      return `IDictionary<string, ${typeOf(shape.of, shape.of.nullable)}>`;
    case 'record':
      return shape.name;
    default:
      return PLAIN[shape.kind] + (nullable && shape.kind !== 'string' && shape.kind !== 'any' ? '?' : '');
  }
}

function about(field: ClassField, answered: boolean): string {
  const { description, required, shape } = field;
  const known = constantsOf(field).map(({ value }) => `<c>${value}</c>`);
  const said = [
    !answered && required ? 'Required.' : '',
    escaped(description ?? ''),
    known.length > 0 ? `One of ${known.join(', ')}.` : '',
    answered && (shape.nullable || !required) && !(description ?? '').includes('ull') ? 'May be null.' : '',
  ].filter((part) => part !== '');
  return said.length > 0 ? `        /// <summary>${said.join(' ')}</summary>\n` : '';
}

const constantsText = (fields: readonly ClassField[]) =>
  fields
    .flatMap(constantsOf)
    .map(({ name, value }) => `        public const string ${pascal(name.toLowerCase())} = "${value}";\n`)
    .join('');

/** Writes a property. One that null clears is sent as soon as it was set, even to null. */
function propertyText(field: ClassField, sent: boolean): string {
  const { name, shape, required } = field;
  const type = typeOf(shape, shape.nullable || !required);
  const own = pascal(name);
  const doc = about(field, !sent);
  if (!sent || required)
    return `${doc}        [JsonProperty("${name}")]\n        public ${type} ${own} { get; set; }\n`;
  if (!shape.nullable || shape.kind === 'any')
    return `${doc}        [JsonProperty("${name}", NullValueHandling = NullValueHandling.Ignore)]\n        public ${type} ${own} { get; set; }\n`;
  const stored = `_${camel(name)}`;
  return `        private ${type} ${stored};
        private bool ${stored}WasSet;

${doc}        [JsonProperty("${name}")]
        public ${type} ${own}
        {
            get { return ${stored}; }
            set { ${stored} = value; ${stored}WasSet = true; }
        }

        [EditorBrowsable(EditorBrowsableState.Never)]
        public bool ShouldSerialize${own}() { return ${stored}WasSet; }
`;
}

const isPaged = ({ answer }: ClassCall) => typeof answer === 'object' && 'page' in answer;

function classText(name: string, fields: readonly ClassField[], sent: boolean, base = ''): string {
  const constants = constantsText(fields);
  const properties = fields.map((field) => propertyText(field, sent)).join('\n');
  return `    public sealed class ${name}${base}\n    {\n${constants ? `${constants}\n` : ''}${properties}    }\n`;
}

function queryText(call: ClassCall): string[] {
  if (call.inQuery.length === 0) return [];
  // The cursor of a list is a part of its base.
  const paged = isPaged(call);
  const fields = call.inQuery.filter(({ name }) => !paged || name !== 'cursor');
  const text = classText(`${capital(call.name)}Query`, fields, true, paged ? ' : PagedQuery' : '');
  return [`    /// <summary>Limits of <c>${capital(call.name)}</c>.</summary>\n${text}`];
}

const textOf = ({ name, fields, sent }: ApiClass) => classText(name, fields, sent);

/** Writes the types of the C# client. */
export function csharpTypes(): string {
  const { classes, calls } = apiClasses();
  return `// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

using System.Collections.Generic;
using System.ComponentModel;
using Newtonsoft.Json;

namespace Heliograph
{
${[...classes.map(textOf), ...calls.flatMap(queryText)].join('\n')}}
`;
}

function callText(call: ClassCall): string[] {
  const { name, method, path, summary, inPath, inQuery, body, answer, idempotent, repeatable } = call;
  if (answer === 'stream') return [];
  const demanded = inQuery.some(({ required }) => required);
  const taken = [
    ...inPath.map((each) => `string ${argument(each)}`),
    ...(body && body !== 'empty' ? [`${body} body`] : []),
    ...(inQuery.length > 0 ? [`${capital(name)}Query query${demanded ? '' : ' = null'}`] : []),
    ...(idempotent ? ['string idempotencyKey = null'] : []),
    'CancellationToken cancellationToken = default(CancellationToken)',
  ];
  const address = inPath
    .reduce((text, each) => text.replace(`{${each}}`, `" + Uri.EscapeDataString(${argument(each)}) + "`), `"${path}"`)
    .replace(/ \+ ""$/, '');
  const given = [
    ...(inQuery.length > 0 ? ['Query = query'] : []),
    ...(body ? [`Body = ${body === 'empty' ? 'new object()' : 'body'}`] : []),
    ...(idempotent ? ['Key = idempotencyKey ?? NewKey()'] : []),
    ...(repeatable ? [] : ['Repeatable = false']),
  ];
  const made = `new Call("${method}", ${address})${given.length > 0 ? ` { ${given.join(', ')} }` : ''}`;
  const type = answer === 'file' ? 'byte[]' : 'page' in answer ? `Page<${answer.page}>` : answer.record;
  const run = answer === 'file' ? 'BytesAsync' : `JsonAsync<${type}>`;
  return [
    `        /// <summary>${escaped(summary)}.</summary>
        public Task<${type}> ${capital(name)}Async(${taken.join(', ')})
        {
            return ${run}(${made}, cancellationToken);
        }
`,
  ];
}

/** Writes the calls of the C# client. */
export const csharpCalls = () => `// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

using System;
using System.Threading;
using System.Threading.Tasks;

namespace Heliograph
{
    /// <summary>One method for each call of the API. All throw ApiException and ConnectionException.</summary>
    public abstract class Calls
    {
        internal Calls() { }

        internal abstract Task<T> JsonAsync<T>(Call call, CancellationToken cancellationToken);

        internal abstract Task<byte[]> BytesAsync(Call call, CancellationToken cancellationToken);

        private static string NewKey() { return Guid.NewGuid().ToString(); }

${apiClasses().calls.flatMap(callText).join('\n')}    }
}
`;

/** Writes the version of the C# client. */
export const csharpVersion = (version: string) => `// Made by scripts/generate-clients.ts.

namespace Heliograph
{
    internal static class Version
    {
        /// <summary>Version of the platform that this client was made for.</summary>
        internal const string Number = "${version}";
    }
}
`;
