import { Document, isMap, isScalar } from 'yaml';
import type { z } from 'zod';
import type { Calls } from './calls.ts';
import { Catalog, type Entry } from './catalog.ts';
import { KINDS, type Kind } from './kinds.ts';
import { mapReferences, normal } from './normal.ts';
import { FORM } from './read-document.ts';
import { elementOf, fieldsOf, isSecret, referredBy, shapeOf, writtenName } from './schemas.ts';

/** Values by their names in a file. */
type Written = Record<string, unknown>;

const ABOUT = ` Declared installation of Heliograph. "heliograph apply" shows what this file would change, and with --yes
 changes it. Secrets are not in it: set the environment variables that it names.`;

/**
 * Writes the running installation as a declared one: the records that the caller sees, without fields that have their
 * default. Secrets become the names of environment variables.
 */
export async function writeInstallation(calls: Calls): Promise<string> {
  const kinds = KINDS.filter(({ declared }) => declared !== false);
  const catalog = await Catalog.read(calls, new Set(kinds.map(({ section }) => section)));
  const sections: [Kind, Written[]][] = [];
  for (const kind of kinds) {
    const records: Written[] = [];
    for (const entry of catalog.of(kind.section))
      if (!kind.hidden?.(entry.row!)) records.push(await written(calls, catalog, entry));
    sections.push([kind, records]);
  }
  return writeDocument(sections.map(([{ section }, records]) => [section, records]));
}

async function written(calls: Calls, catalog: Catalog, { kind, row, id, labels, scope }: Entry): Promise<Written> {
  const record: Written = {};
  const corporation = row!['corporation_id'];
  const place = typeof corporation === 'number' ? (catalog.findId('corporations', corporation)?.key ?? null) : scope;
  const nameOf = (to: string, value: unknown): unknown => {
    const target = catalog.findId(to, value as number);
    return target ? catalog.textOf(target, place) : null;
  };
  const fields = fieldsOf(kind);
  for (const field of new Set([...kind.key, ...Object.keys(fields)])) {
    const schema = fields[field]!;
    const name = writtenName(field, schema);
    if (isSecret(kind, field)) {
      const shown = kind.resource.unshown[field];
      if (shown === undefined || row![shown] !== null)
        record[name] = `\${${[...labels, field]
          .join('_')
          .toUpperCase()
          .replace(/[^A-Z0-9]+/g, '_')
          .replace(/^(?=\d)/, '_')}}`;
      continue;
    }
    const value = kind.others?.[field] ? await kind.others[field].read(calls, id!) : row![field];
    if (value === undefined || (!kind.key.includes(field) && isDefault(schema, value))) continue;
    if (value === null && schema.safeParse(undefined).data === null) continue;
    record[name] = renamed(schema, mapReferences(schema, value, nameOf));
  }
  return record;
}

/** Whether a new record has this value if it is left out. */
function isDefault(schema: z.ZodType, value: unknown): boolean {
  const none = schema.safeParse(undefined);
  if (!none.success) return false;
  const [left, right] = [none.data, value].map((each) => JSON.stringify(normal(schema, each, (_to, id) => String(id))));
  return left === right;
}

/** Gives the fields of nested objects the names of files, without those that are no part of their schema. */
function renamed(schema: z.ZodType, value: unknown): unknown {
  if (Array.isArray(value)) {
    const element = elementOf(schema);
    return element ? value.map((each) => renamed(element, each)) : value;
  }
  const shape = value !== null && typeof value === 'object' ? shapeOf(schema) : undefined;
  if (!shape) return value;
  const fields = value as Written;
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, inner]) => {
      const each = fields[name];
      if (each === undefined || each === null) return [];
      return [[writtenName(name, inner), referredBy(inner) ? each : renamed(inner, each)]];
    }),
  );
}

/** Writes sections of records as a file, with a comment before each record that has one. */
export function writeDocument(
  sections: readonly (readonly [section: string, records: readonly Written[]])[],
  about = ABOUT,
): string {
  const filled = sections.filter(([, records]) => records.length > 0);
  const document = new Document({ heliograph: FORM, ...Object.fromEntries(filled) }, { aliasDuplicateObjects: false });
  document.commentBefore = about;
  if (isMap(document.contents))
    for (const { key } of document.contents.items) if (isScalar(key)) key.spaceBefore = true;
  return document.toString({ lineWidth: 0 });
}
