import type { AnyResource } from '@heliograph/contract/kernel/resource';
import type { z } from 'zod';
import type { Calls } from './calls.ts';
import { KINDS, type Kind, referredKind } from './kinds.ts';
import type { Reference } from './read-document.ts';
import { elementOf, fieldsOf, nearest, referredBy, shapeOf } from './schemas.ts';

export type Row = Record<string, unknown> & { id: number; etag?: string };

/** Record that exists, or that a file declares, or both. */
export interface Entry {
  kind: Kind;
  /** Text that finds it, the same for a present and a declared record. */
  key: string;
  name: string;
  /** Names of the records that it belongs to, and its own. */
  labels: readonly string[];
  /** Key of the record that it belongs to; null if it belongs to none. */
  scope: string | null;
  row?: Row;
  id?: number;
}

const PAGE = 200;

/** Records by what finds them: the present ones, and those of a file. */
export class Catalog {
  private readonly byKey = new Map<string, Entry>();
  private readonly byId = new Map<string, Entry>();
  private readonly ofSection = new Map<string, Entry[]>();

  /** Reads the present records of the sections, and of those that their fields refer to. */
  static async read(calls: Calls, sections: ReadonlySet<string>): Promise<Catalog> {
    const catalog = new Catalog();
    const wanted = new Set(sections);
    for (const kind of [...KINDS].reverse())
      if (wanted.has(kind.section)) for (const each of referencesOf(kind)) wanted.add(each);
    // A corporation refers to corporations: a second round finds what the first added.
    for (const kind of [...KINDS].reverse())
      if (wanted.has(kind.section)) for (const each of referencesOf(kind)) wanted.add(each);
    for (const kind of KINDS) {
      if (!wanted.has(kind.section)) continue;
      const rows = await readAll(calls, kind.resource);
      // Those that belong to no record of their own kind come first.
      rows.sort((a, b) => Number(ownScope(kind, a) !== null) - Number(ownScope(kind, b) !== null) || a.id - b.id);
      for (const row of rows) catalog.addRow(kind, row);
    }
    return catalog;
  }

  /** Present and declared records of a section. */
  of(section: string): readonly Entry[] {
    return this.ofSection.get(section) ?? [];
  }

  find(key: string): Entry | undefined {
    return this.byKey.get(key);
  }

  findId(resource: string, id: number): Entry | undefined {
    return this.byId.get(`${resource} ${id}`);
  }

  /** Answers the text that names the record of a reference field's id; undefined if it is not known. */
  nameOfId(schema: z.ZodType, id: number, scope: string | null): string | undefined {
    const to = referredBy(schema);
    const entry = to === undefined ? undefined : this.findId(to, id);
    return entry && this.textOf(entry, scope);
  }

  private addRow(kind: Kind, row: Row): void {
    const entry = {
      ...this.entryOf(
        kind,
        (field) => row[field],
        (to, id) => this.findId(to, id as number),
      ),
      row,
      id: row.id,
    };
    this.add(entry);
    this.byId.set(`${kind.resource.name} ${row.id}`, entry);
  }

  /** Adds a record; answers the one that is there already, if there is one. */
  add(entry: Entry): Entry {
    const present = this.byKey.get(entry.key);
    if (present) return present;
    this.byKey.set(entry.key, entry);
    const list = this.ofSection.get(entry.kind.section) ?? [];
    list.push(entry);
    this.ofSection.set(entry.kind.section, list);
    return entry;
  }

  /** Makes the entry of a record from the values of its key; `find` answers the record of a reference. */
  entryOf(
    kind: Kind,
    value: (field: string) => unknown,
    find: (to: string, value: unknown) => Entry | undefined,
  ): Entry {
    const fields = fieldsOf(kind);
    const parts: (string | null)[] = [];
    const labels: string[] = [];
    let scope: string | null = null;
    for (const [at, field] of kind.key.entries()) {
      const to = fields[field] && referredBy(fields[field]);
      const given = value(field) ?? null;
      if (to === undefined || given === null) {
        parts.push(given === null ? null : String(given));
        if (given !== null) labels.push(String(given));
        continue;
      }
      const target = find(to, given);
      parts.push(target?.key ?? null);
      if (at === 0) scope = target?.key ?? null;
      // A department has the name of its corporation before its own.
      for (const label of target?.labels ?? []) if (!labels.includes(label)) labels.push(label);
    }
    return { kind, key: `${kind.section} ${JSON.stringify(parts)}`, name: labels.at(-1) ?? '', labels, scope };
  }

  /** Finds the record that a reference names, or the sentence of what is wrong with it. */
  resolve({ to, text }: Pick<Reference, 'to' | 'text'>, scope: string | null): Entry | string {
    const kind = referredKind(to);
    if (!kind) return `Records of ${to} cannot be named here.`;
    const all = this.of(kind.section);
    const named = all.filter(({ name, labels }) => name === text || endsWith(labels, text));
    if (named.length === 1) return named[0]!;
    if (named.length === 0) {
      const near = nearest(
        text,
        all.map(({ name }) => name),
      );
      const fix = near === undefined ? `Declare it under "${kind.section}:".` : `Do you mean "${near}"?`;
      return `There is no "${text}" among ${kind.section}. ${fix}`;
    }
    const near = named.filter((entry) => entry.scope === scope);
    const free = named.filter((entry) => entry.scope === null);
    const [only, ...more] = near.length > 0 ? near : free;
    if (only && more.length === 0) return only;
    return `Several ${kind.section} have the name "${text}". Write "${named[0]!.labels.join(' / ')}" for the first.`;
  }

  /** Answers the shortest text that names a record from a place. */
  textOf(entry: Entry, scope: string | null): string {
    const to = entry.kind.resource.name;
    const texts = entry.labels.map((_, at) => entry.labels.slice(-1 - at).join(' / '));
    return texts.find((text) => this.resolve({ to, text }, scope) === entry) ?? entry.labels.join(' / ');
  }
}

/** Whether a text is the last names of a record, such as `Acme / Sales`. */
const endsWith = (labels: readonly string[], text: string): boolean =>
  labels.some((_, at) => labels.slice(at).join(' / ') === text);

/** The value of a key's field that refers to the same kind of record. */
function ownScope(kind: Kind, row: Row): unknown {
  const fields = fieldsOf(kind);
  const field = kind.key.find((name) => fields[name] && referredBy(fields[name]) === kind.resource.name);
  return field === undefined ? null : (row[field] ?? null);
}

/** Sections that the fields of a kind refer to. */
function referencesOf(kind: Kind): string[] {
  const found = new Set<string>();
  const look = (schema: z.ZodType): void => {
    const to = referredBy(schema);
    const section = to === undefined ? undefined : referredKind(to)?.section;
    if (section !== undefined) found.add(section);
    const element = elementOf(schema);
    if (element) look(element);
    else for (const each of Object.values(shapeOf(schema) ?? {})) look(each);
  };
  for (const schema of Object.values(fieldsOf(kind))) look(schema);
  for (const waited of Object.values(kind.waits ?? {})) found.add(waited);
  return [...found];
}

async function readAll(calls: Calls, resource: AnyResource): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const { data, meta } = (await calls.call(resource.list, { query: { page, per_page: PAGE } })) as {
      data: Row[];
      meta: { pages: number };
    };
    rows.push(...data);
    if (page >= meta.pages) return rows;
  }
}
