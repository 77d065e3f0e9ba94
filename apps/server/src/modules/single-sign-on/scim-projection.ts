import { isObject, type Json } from './scim-attributes.ts';

/** Attributes that every answer has. */
const ALWAYS = new Set(['schemas', 'id']);

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:\w+:/i;

/** Names of a comma-separated list of attributes, in lower case and without their schema. */
const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim().replace(CORE, '').toLowerCase())
    .filter((name) => name !== '');

/**
 * Answers the attributes of a resource that a call asked for by `attributes` or `excludedAttributes`, by RFC 7644,
 * section 3.9. A name such as `name.givenName` means a part.
 */
export function project(
  resource: Json,
  { attributes, excludedAttributes }: { attributes?: string | undefined; excludedAttributes?: string | undefined },
): Json {
  if (attributes !== undefined) return only(resource, new Set(namesIn(attributes)));
  if (excludedAttributes !== undefined) return without(resource, new Set(namesIn(excludedAttributes)));
  return resource;
}

/** Applies a change to a complex value, or to each of a list. */
const within = (value: unknown, change: (part: Json) => Json): unknown => {
  if (Array.isArray(value)) return value.map((each) => (isObject(each) ? change(each) : each));
  return isObject(value) ? change(value) : value;
};

function only(resource: Json, names: ReadonlySet<string>): Json {
  const kept = Object.entries(resource).flatMap(([key, value]): [string, unknown][] => {
    const name = key.toLowerCase();
    if (ALWAYS.has(key) || names.has(name)) return [[key, value]];
    if (![...names].some((each) => each.startsWith(`${name}.`))) return [];
    const parts = (part: Json) =>
      Object.fromEntries(Object.entries(part).filter(([each]) => names.has(`${name}.${each.toLowerCase()}`)));
    return [[key, within(value, parts)]];
  });
  return Object.fromEntries(kept);
}

function without(resource: Json, names: ReadonlySet<string>): Json {
  const kept = Object.entries(resource).flatMap(([key, value]): [string, unknown][] => {
    const name = key.toLowerCase();
    if (names.has(name) && !ALWAYS.has(key)) return [];
    const parts = (part: Json) =>
      Object.fromEntries(Object.entries(part).filter(([each]) => !names.has(`${name}.${each.toLowerCase()}`)));
    return [[key, within(value, parts)]];
  });
  return Object.fromEntries(kept);
}
