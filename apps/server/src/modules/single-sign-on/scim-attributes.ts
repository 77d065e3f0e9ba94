import { email } from '@heliograph/contract/kernel/fields';
import { z } from 'zod';
import { wrongValue } from './scim-error.ts';

/** Attributes of a resource that are kept, by RFC 7643: a simple one, the parts of a complex one, or a list of values. */
export type Attributes = Readonly<
  Record<string, 'simple' | { parts: readonly string[] } | { list: readonly string[] }>
>;

const VALUE = ['value', 'type', 'primary', 'display'] as const;

/** Kept attributes of people. Others of the standard are accepted and not kept. */
export const USER: Attributes = {
  externalId: 'simple',
  userName: 'simple',
  displayName: 'simple',
  name: { parts: ['formatted', 'givenName', 'familyName'] },
  active: 'simple',
  preferredLanguage: 'simple',
  emails: { list: VALUE },
  phoneNumbers: { list: VALUE },
};

export const GROUP: Attributes = {
  externalId: 'simple',
  displayName: 'simple',
  members: { list: ['value', 'display', 'type'] },
};

/** Attributes that only we set. */
export const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'schemas', 'groups']);

/** Attributes of RFC 7643 that directories send and that mean nothing here; compared in lower case. */
export const NOT_KEPT: ReadonlySet<string> = new Set(
  [
    ...['nickName', 'profileUrl', 'title', 'userType', 'locale', 'timezone', 'password', 'ims', 'photos', 'addresses'],
    ...['entitlements', 'roles', 'x509Certificates', 'description'],
  ].map((name) => name.toLowerCase()),
);

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Answers the name of an attribute or part as the schema writes it; names are compared without case. */
export const nameIn = (names: readonly string[], written: string): string | undefined =>
  names.find((name) => name.toLowerCase() === written.toLowerCase());

const keepParts = (value: unknown, parts: readonly string[]): unknown => {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, part]) => {
    const name = nameIn(parts, key);
    return name === undefined ? [] : [[name, part] as const];
  });
  return Object.fromEntries(kept);
};

/** Brings the value of an attribute into the schema's form: names in its case, and without parts that are not kept. */
export function keepValue(attributes: Attributes, name: string, value: unknown): unknown {
  const kind = attributes[name]!;
  if (kind === 'simple') return value;
  if ('parts' in kind) return keepParts(value, kind.parts);
  const values = Array.isArray(value) ? value : [value];
  return values.map((each) => keepParts(typeof each === 'string' ? { value: each } : each, kind.list));
}

/** Brings a resource into the schema's form; what is not kept is left out. */
export function keepKnown(attributes: Attributes, body: unknown): Json {
  if (!isObject(body)) throw wrongValue('body', 'must be a JSON object');
  const names = Object.keys(attributes);
  const kept = Object.entries(body).flatMap(([key, value]) => {
    const name = nameIn(names, key);
    return name === undefined || value === null ? [] : [[name, keepValue(attributes, name, value)] as const];
  });
  return Object.fromEntries(kept);
}

// Some directories write booleans as texts.
const flag = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })]);
const text = z.string().trim().min(1).max(200);
const listOf = <V extends z.ZodType>(value: V) =>
  z
    .array(z.object({ value, type: text.optional(), primary: flag.optional(), display: text.nullish() }))
    .max(20)
    .nullish();
const names = z.object({ formatted: text.nullish(), givenName: text.nullish(), familyName: text.nullish() });

export const scimUser = z.object({
  externalId: text.nullish(),
  userName: text,
  displayName: text.nullish(),
  name: names.nullish(),
  active: flag.default(true),
  preferredLanguage: text.nullish(),
  emails: listOf(email),
  phoneNumbers: listOf(text),
});
export type ScimUser = z.output<typeof scimUser>;

export const scimGroup = z.object({
  externalId: text.nullish(),
  displayName: text,
  members: z
    .array(
      z.object({
        value: z.string().regex(/^[1-9]\d{0,14}$/),
        display: z.unknown().optional(),
        type: z.unknown().optional(),
      }),
    )
    .max(20_000)
    .nullish(),
});
export type ScimGroup = z.output<typeof scimGroup>;

/** Parses a resource. Throws `invalidValue` with the path of the first fault. */
export function read<S extends z.ZodType>(schema: S, value: Json): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw wrongValue(issue!.path.join('.') || 'body', issue!.message);
}
