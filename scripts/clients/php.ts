import {
  type ApiClass,
  apiClasses,
  type ClassCall,
  type ClassField,
  camel,
  constantsOf,
  type Shape,
} from './classes.ts';

const NATIVE = { string: 'string', integer: 'int', number: 'int|float', boolean: 'bool', any: 'mixed' } as const;
const EMPTY = { string: "''", integer: '0', number: '0', boolean: 'false', list: '[]', map: '[]' } as const;

const plain = (text: string) => text.replaceAll('*/', '* /').replaceAll('\n', ' ');
const quoted = (text: string) => `'${text}'`;

/** Returns a type as PHP knows it. */
function native(shape: Shape, nullable = shape.nullable): string {
  if (shape.kind === 'any') return 'mixed';
  const own =
    shape.kind === 'record' ? shape.name : shape.kind === 'list' || shape.kind === 'map' ? 'array' : NATIVE[shape.kind];
  return !nullable ? own : own.includes('|') ? `${own}|null` : `?${own}`;
}

/** Returns a type as static analysis knows it. `open` allows texts that the API may add. */
function documented(shape: Shape, nullable: boolean, open: boolean): string {
  const own = (() => {
    switch (shape.kind) {
      case 'list':
        return `list<${documented(shape.of, shape.of.nullable, open)}>`;
      case 'map':
        return `array<string, ${documented(shape.of, shape.of.nullable, open)}>`;
      case 'record':
        return shape.name;
      case 'string':
        return shape.values.length === 0
          ? 'string'
          : [...shape.values.map(quoted), ...(open && shape.values.length > 1 ? ['string'] : [])].join('|');
      default:
        return NATIVE[shape.kind];
    }
  })();
  return nullable && shape.kind !== 'any' ? `${own}|null` : own;
}

/** Returns the expression that makes a value of decoded JSON. */
function read(shape: Shape, from: string, nullable: boolean): string {
  if (shape.kind === 'record') {
    const made = `${shape.name}::fromArray(${from}${nullable ? '' : ' ?? []'})`;
    return nullable ? `isset(${from}) ? ${made} : null` : made;
  }
  if ((shape.kind === 'list' || shape.kind === 'map') && shape.of.kind === 'record')
    return `array_map(${shape.of.name}::fromArray(...), ${from} ?? [])`;
  return `${from} ?? ${nullable || shape.kind === 'any' ? 'null' : EMPTY[shape.kind]}`;
}

/** Tells whether null has a meaning of its own, other than that the field is left out. */
const mayClear = ({ sent }: ApiClass, { required, shape }: ClassField) =>
  sent && !required && shape.nullable && shape.kind !== 'any';

function classText(own: ApiClass): string {
  const fields = own.fields.filter(({ required }) => required).concat(own.fields.filter(({ required }) => !required));
  const constants = own.fields
    .flatMap(constantsOf)
    .map(({ name, value }) => `    public const ${name.toUpperCase()} = '${value}';\n`);
  const docs = fields.map((field) => {
    const { name, shape, required, description } = field;
    const type = documented(shape, shape.nullable || !required, !own.sent) + (mayClear(own, field) ? '|Omit' : '');
    return `     * @param ${type} $${camel(name)}${description ? ` ${plain(description)}` : ''}\n`;
  });
  const taken = fields.map((field) => {
    const { name, shape, required } = field;
    const type = native(shape, shape.nullable || !required);
    if (mayClear(own, field))
      return `        public readonly ${native(shape, false)}|Omit|null $${camel(name)} = Omit::Field,\n`;
    return `        public readonly ${type} $${camel(name)}${required ? '' : ' = null'},\n`;
  });
  const made = fields.map((field) => {
    const { name, shape, required } = field;
    const value = read(shape, `$data['${name}']`, shape.nullable || !required);
    return `            ${camel(name)}: ${mayClear(own, field) ? `array_key_exists('${name}', $data) ? ${value} : Omit::Field` : value},\n`;
  });
  const maps = own.fields.filter(({ shape }) => shape.kind === 'map').map(({ name }) => quoted(camel(name)));
  const nullable = own.fields
    .filter((field) => own.sent && field.shape.nullable && (field.required || mayClear(own, field)))
    .map(({ name }) => quoted(camel(name)));
  const lists = Object.entries({ MAPS: maps, NULLABLE: nullable })
    .filter(([, names]) => names.length > 0)
    .map(([list, names]) => `    protected const ${list} = [${names.join(', ')}];\n`);
  return `final class ${own.name} extends Record
{
${constants.length > 0 ? `${constants.join('')}\n` : ''}${lists.length > 0 ? `${lists.join('')}\n` : ''}    /**
${docs.join('')}     */
    public function __construct(
${taken.join('')}    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
${made.join('')}        );
    }
}
`;
}

function callText({
  name,
  method,
  path,
  summary,
  inPath,
  inQuery,
  body,
  answer,
  idempotent,
  repeatable,
}: ClassCall): string[] {
  if (answer === 'stream') return [];
  const query = inQuery.filter((each) => each.required).concat(inQuery.filter((each) => !each.required));
  const taken = [
    ...inPath.map((each) => `string $${camel(each)}`),
    ...(body && body !== 'empty' ? [`${body} $body`] : []),
    ...query.map(({ name: each, shape, required }) =>
      required ? `${native(shape)} $${camel(each)}` : `${native(shape, true)} $${camel(each)} = null`,
    ),
    ...(idempotent ? ['?string $idempotencyKey = null'] : []),
  ].join(', ');
  const docs = [
    ...query.map(
      ({ name: each, shape, required, description }) =>
        `     * @param ${documented(shape, !required, false)} $${camel(each)}${description ? ` ${plain(description)}` : ''}\n`,
    ),
    ...('page' in Object(answer) ? [`     * @return Page<${(answer as { page: string }).page}>\n`] : []),
    '     * @throws HeliographException\n',
  ];
  const address = inPath.reduce(
    (text, each) => text.replace(`{${each}}`, `' . rawurlencode($${camel(each)}) . '`),
    quoted(path),
  );
  const given = [
    quoted(method),
    address.replace(/ \. ''$/, ''),
    ...(query.length > 0
      ? [`query: [${inQuery.map(({ name: each }) => `'${each}' => $${camel(each)}`).join(', ')}]`]
      : []),
    ...(body ? [`body: ${body === 'empty' ? '(object) []' : '$body'}`] : []),
    ...(idempotent ? ['idempotencyKey: $idempotencyKey ?? self::newKey()'] : []),
    ...(repeatable ? [] : ['repeatable: false']),
  ].join(', ');
  const type = answer === 'file' ? 'string' : 'page' in answer ? 'Page' : answer.record;
  const value =
    answer === 'file'
      ? `$this->bytes(${given})`
      : 'page' in answer
        ? `Page::fromArray($this->json(${given}), ${answer.page}::fromArray(...))`
        : `${answer.record}::fromArray($this->json(${given}))`;
  return [
    `    /**
     * ${plain(summary)}.
     *
${docs.join('')}     */
    public function ${name}(${taken}): ${type}
    {
        return ${value};
    }
`,
  ];
}

const HEAD = `<?php

// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

declare(strict_types=1);

namespace Heliograph;
`;

/** Writes the types of the PHP client. */
export const phpTypes = () => `${HEAD}\n${apiClasses().classes.map(classText).join('\n')}`;

/** Writes the calls of the PHP client. */
export const phpCalls = () => `${HEAD}
/** One method for each call of the API. */
abstract class Calls
{
    /**
     * @param array<string, string|int|bool|null> $query
     * @return array<string, mixed>
     */
    abstract protected function json(string $method, string $path, array $query = [], ?object $body = null, ?string $idempotencyKey = null, bool $repeatable = true): array;

    /** @param array<string, string|int|bool|null> $query */
    abstract protected function bytes(string $method, string $path, array $query = [], ?object $body = null, ?string $idempotencyKey = null, bool $repeatable = true): string;

    /** Returns a new idempotency key. */
    protected static function newKey(): string
    {
        return bin2hex(random_bytes(16));
    }

${apiClasses().calls.flatMap(callText).join('\n')}}
`;

/** Writes the version of the PHP client. */
export const phpVersion = (version: string) => `<?php

// Made by scripts/generate-clients.ts.

declare(strict_types=1);

namespace Heliograph;

/** Version of the platform that this client was made for. */
final class Version
{
    public const NUMBER = '${version}';
}
`;
