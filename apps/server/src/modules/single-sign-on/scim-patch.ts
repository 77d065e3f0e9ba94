import type { Filter } from 'scim2-parse-filter';
import { z } from 'zod';
import { type Attributes, isObject, type Json, keepValue, NOT_KEPT, nameIn, READ_ONLY } from './scim-attributes.ts';
import { ScimError } from './scim-error.ts';
import { fits, readFilter } from './scim-filter.ts';

export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const patch = z.object({
  schemas: z.array(z.string()).refine((schemas) => schemas.includes(PATCH_SCHEMA)),
  Operations: z
    .array(
      z.object({
        // Some directories begin it with a capital.
        op: z
          .string()
          .toLowerCase()
          .pipe(z.enum(['add', 'remove', 'replace'])),
        path: z.string().min(1).max(500).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(1_000),
});

interface Target {
  name: string;
  filter: Filter | undefined;
  part: string | undefined;
}

/** The schema's name, an attribute, a filter of its values in brackets, a part of it. */
const PATH = /^(?:(urn:[^[\]]+):)?([a-z$][\w-]*)(?:\[(.*)\])?(?:\.([a-z$][\w-]*))?$/i;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:\w+$/i;

/** Reads a path; null for an attribute that is not kept. Throws `invalidPath`, and `mutability` for what only we set. */
function targetOf(attributes: Attributes, path: string): Target | null {
  const [, schema, written, filter, part] = PATH.exec(path) ?? [];
  const wrong = () => new ScimError(400, `The path ${path} is no attribute of this resource.`, 'invalidPath');
  if (written === undefined) throw wrong();
  if (schema !== undefined && !CORE.test(schema)) return null;
  if (READ_ONLY.has(written.toLowerCase())) throw new ScimError(400, `${written} cannot be set.`, 'mutability');
  const name = nameIn(Object.keys(attributes), written);
  if (name === undefined) {
    if (NOT_KEPT.has(written.toLowerCase())) return null;
    throw wrong();
  }
  const kind = attributes[name]!;
  if (kind === 'simple' ? filter !== undefined || part !== undefined : 'parts' in kind && filter !== undefined)
    throw wrong();
  const parts = kind === 'simple' ? [] : 'parts' in kind ? kind.parts : kind.list;
  return {
    name,
    filter: filter === undefined ? undefined : readFilter(filter),
    // A part that is not kept leaves no trace.
    part: part === undefined ? undefined : (nameIn(parts, part) ?? part),
  };
}

/**
 * Applies a PATCH of RFC 7644, section 3.5.2 to a resource, and answers the new one. The resource is in the schema's
 * form. Nothing outside the known attributes is read or written, whatever names a path has.
 */
export function applyPatch(attributes: Attributes, resource: Json, body: unknown): Json {
  const read = patch.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ScimError(400, `${issue!.path.join('.') || 'body'}: ${issue!.message}`, 'invalidSyntax');
  }
  const result = structuredClone(resource);
  for (const { op, path, value } of read.data.Operations) {
    if (path !== undefined) change(attributes, result, op, targetOf(attributes, path), value);
    else if (op === 'remove') throw new ScimError(400, 'An operation "remove" needs a path.', 'noTarget');
    else if (!isObject(value))
      throw new ScimError(400, 'Without a path, the value must be an object.', 'invalidSyntax');
    // Directories send the whole resource back, with what only we set.
    else
      for (const [key, each] of Object.entries(value))
        if (!READ_ONLY.has(key.toLowerCase()) && !key.startsWith('urn:ietf:params:scim:schemas:extension:'))
          change(attributes, result, op, targetOf(attributes, key), each);
  }
  return result;
}

type Op = 'add' | 'remove' | 'replace';

function change(attributes: Attributes, resource: Json, op: Op, target: Target | null, value: unknown): void {
  if (!target) return;
  if (op !== 'remove' && value === undefined)
    throw new ScimError(400, `An operation "${op}" needs a value.`, 'invalidValue');
  const { name, part } = target;
  const kind = attributes[name]!;
  if (kind !== 'simple' && 'list' in kind) {
    const present = Array.isArray(resource[name]) ? (resource[name] as unknown[]) : [];
    resource[name] = withOnePrimary(listAfter(attributes, present, op, target, value));
  } else if (part !== undefined) {
    const whole = isObject(resource[name]) ? { ...resource[name] } : {};
    if (op === 'remove' || value === null) delete whole[part];
    else whole[part] = value;
    resource[name] = keepValue(attributes, name, whole);
  } else if (op === 'remove' || value === null) delete resource[name];
  else if (kind !== 'simple' && isObject(value) && isObject(resource[name]) && op === 'add')
    resource[name] = { ...resource[name], ...(keepValue(attributes, name, value) as Json) };
  else resource[name] = keepValue(attributes, name, value);
}

const same = (a: unknown, b: unknown): boolean => isObject(a) && isObject(b) && a['value'] === b['value'];

/** Answers a list in which the last value that is named the primary one is the only one. */
function withOnePrimary(values: readonly unknown[]): unknown[] {
  const primary = values.findLastIndex((each) => isObject(each) && String(each['primary']) === 'true');
  return values.map((each, place) =>
    primary >= 0 && isObject(each) && 'primary' in each ? { ...each, primary: place === primary } : each,
  );
}

/** Answers the list of an attribute after an operation. */
function listAfter(
  attributes: Attributes,
  present: readonly unknown[],
  op: Op,
  target: Target,
  value: unknown,
): unknown[] {
  const { name, filter, part } = target;
  const values = value === undefined ? [] : (keepValue(attributes, name, value) as unknown[]);
  if (filter) return listAfterFilter(attributes, present, op, { name, filter, part }, value);
  if (op === 'replace') return part === undefined ? values : present.map((each) => withPart(each, part, value));
  if (op === 'remove')
    return value === undefined ? [] : present.filter((each) => !values.some((gone) => same(each, gone)));
  const added = values.filter((each) => !present.some((old) => same(each, old)));
  return [...present.map((old) => values.find((each) => same(each, old)) ?? old), ...added];
}

function listAfterFilter(
  attributes: Attributes,
  present: readonly unknown[],
  op: Op,
  { name, filter, part }: Target & { filter: Filter },
  value: unknown,
): unknown[] {
  const kept = (entry: unknown) => (keepValue(attributes, name, entry) as unknown[])[0];
  const chosen = new Set(present.filter((each) => fits(filter, each)));
  if (op === 'remove') {
    if (part === undefined) return present.filter((each) => !chosen.has(each));
    return present.map((each) => (chosen.has(each) ? kept(withPart(each, part, undefined)) : each));
  }
  if (chosen.size === 0) {
    // A new value that the filter describes, such as the first of type "work".
    const made = op === 'add' ? described(filter) : null;
    if (!made) throw new ScimError(400, `No value of ${name} fits the filter.`, 'noTarget');
    return [...present, kept(part === undefined ? { ...made, ...(value as Json) } : withPart(made, part, value))];
  }
  const changed = (each: unknown) => {
    if (part !== undefined) return withPart(each, part, value);
    return op === 'add' ? { ...(each as Json), ...(value as Json) } : value;
  };
  return present.map((each) => (chosen.has(each) ? kept(changed(each)) : each));
}

const withPart = (entry: unknown, part: string, value: unknown): Json => ({ ...(entry as Json), [part]: value });

/** Answers the value that a filter of equalities describes; null for other filters. */
function described(filter: Filter): Json | null {
  if (filter.op === 'eq') return { [filter.attrPath]: filter.compValue };
  if (filter.op !== 'and') return null;
  const parts = filter.filters.map(described);
  return parts.includes(null) ? null : Object.assign({}, ...parts);
}
