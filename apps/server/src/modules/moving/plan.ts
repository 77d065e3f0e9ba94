import type { z } from 'zod';
import type { Calls } from './calls.ts';
import { Catalog, type Entry } from './catalog.ts';
import { EXTRAS } from './extras.ts';
import { referredKind } from './kinds.ts';
import { normal } from './normal.ts';
import { inKindOrder, inOrder, scopeOf } from './order.ts';
import { type Declared, type DeclaredExtra, type Document, type Fault, Reference } from './read-document.ts';
import { elementOf, fieldsOf, isSecret, referredBy, shapeOf, writtenName } from './schemas.ts';

/** Change of one field: as it is, and as the file says. */
export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** One record of a file, and what happens to it. */
export interface Step {
  action: 'create' | 'change' | 'same';
  declared: Declared;
  entry: Entry;
  changes: FieldChange[];
  /** Secrets of the file that stay as they are, because the record has one, and whether the platform can set them. */
  kept: { field: string; settable: boolean }[];
  /** Key of its corporation, by which the names in its fields are looked up. */
  scope: string | null;
  /** Records of the file that come before it. */
  after: Set<Step>;
}

/** Entry of a file that is no record, and whether it was done before. */
export interface ExtraStep {
  declared: DeclaredExtra;
  /** Records that its references name, by field. */
  targets: Map<string, Entry>;
  done: boolean;
}

export interface Plan {
  /** In the order in which they are applied. */
  steps: Step[];
  extras: ExtraStep[];
  /** Number of present records of each section of the file that it does not name. */
  undeclared: Map<string, number>;
  catalog: Catalog;
}

interface Options {
  /** Sets secrets that the file gives although the record has one. */
  setSecrets: boolean;
  /** Whether a payment or file was recorded before. */
  isDone(step: ExtraStep): Promise<boolean>;
}

/** Error that names every fault of a file. */
export class FaultyDocument extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super('The file has faults.');
    this.faults = faults;
  }
}

/** Compares a file with the present records. Throws `FaultyDocument` with every fault that shows before a change. */
export async function makePlan(calls: Calls, document: Document, options: Options): Promise<Plan> {
  const faults = [...document.faults];
  if (faults.length > 0) throw new FaultyDocument(faults);
  const sections = new Set(document.records.map(({ kind }) => kind.section));
  for (const { extra } of document.extras)
    for (const schema of Object.values(extra.fields.shape)) {
      const to = referredBy(schema as z.ZodType);
      if (to !== undefined) sections.add(referredKind(to)!.section);
    }
  const catalog = await Catalog.read(calls, sections);
  const steps = new Planner(catalog, faults, options, calls);
  const made = await steps.plan(document.records);
  const extras: ExtraStep[] = [];
  // Opt-outs come before numbers, however the file is written.
  const placed = document.extras.toSorted((a, b) => EXTRAS.indexOf(a.extra) - EXTRAS.indexOf(b.extra));
  for (const declared of placed) {
    const step = { declared, targets: steps.targetsOf(declared), done: false };
    if (faults.length === 0) step.done = await options.isDone(step);
    extras.push(step);
  }
  if (faults.length > 0) throw new FaultyDocument(faults);
  const named = new Set(made.map(({ entry }) => entry));
  const undeclared = new Map(
    [...new Set(document.records.map(({ kind }) => kind.section))].map((section) => [
      section,
      catalog.of(section).filter((entry) => entry.row && !named.has(entry)).length,
    ]),
  );
  return { steps: inOrder(made), extras, undeclared, catalog };
}

class Planner {
  private readonly stepOf = new Map<Entry, Step>();
  private readonly catalog: Catalog;
  private readonly faults: Fault[];
  private readonly options: Options;
  private readonly calls: Calls;

  constructor(catalog: Catalog, faults: Fault[], options: Options, calls: Calls) {
    this.catalog = catalog;
    this.faults = faults;
    this.options = options;
    this.calls = calls;
  }

  async plan(records: readonly Declared[]): Promise<Step[]> {
    const steps: Step[] = [];
    for (const declared of inKindOrder(records)) {
      const step = this.found(declared);
      if (step) steps.push(step);
    }
    for (const step of steps) await this.compare(step);
    for (const step of steps) this.order(step);
    return steps;
  }

  targetsOf({ fields }: DeclaredExtra): Map<string, Entry> {
    const targets = new Map<string, Entry>();
    for (const [field, value] of fields) {
      if (!(value instanceof Reference)) continue;
      const scope = targets.get('corporation_id')?.key ?? null;
      const entry = this.target(value, scope);
      if (entry) targets.set(field, entry);
    }
    return targets;
  }

  /** Finds the record of the key, or a place for a new one; undefined if the key has faults. */
  private found(declared: Declared): Step | undefined {
    const { kind, fields, line, path } = declared;
    const before = this.faults.length;
    for (const field of kind.key) {
      const schema = fieldsOf(kind)[field]!;
      const optional = schema.safeParse(undefined);
      if (!fields.has(field) && !(optional.success && optional.data === null))
        this.fault(declared, field, `Add "${writtenName(field, schema)}": it is part of what finds the record.`);
    }
    if (this.faults.length > before) return undefined;
    let scope: string | null = null;
    const made = this.catalog.entryOf(
      kind,
      (field) => fields.get(field) ?? null,
      (_to, value) => {
        const target = this.target(value as Reference, scope);
        scope ??= target?.key ?? null;
        return target;
      },
    );
    if (this.faults.length > before) return undefined;
    const entry = this.catalog.add(made);
    if (!entry.row) this.noteElsewhere(declared, entry);
    if (this.faults.length > before) return undefined;
    const twice = this.stepOf.get(entry);
    if (twice) {
      this.faults.push({ line, path, message: `This record is declared twice: also in line ${twice.declared.line}.` });
      return undefined;
    }
    const placed = scopeOf(declared, this.catalog) ?? entry.scope;
    const step: Step = { action: 'same', declared, entry, changes: [], kept: [], scope: placed, after: new Set() };
    this.stepOf.set(entry, step);
    return step;
  }

  /** A new record with the name of one that belongs elsewhere is usually meant to be that one. */
  private noteElsewhere(declared: Declared, entry: Entry): void {
    const { kind, fields } = declared;
    const shape = fieldsOf(kind);
    const open = kind.key.find((field) => referredBy(shape[field]!) !== undefined && !fields.has(field));
    if (open === undefined) return;
    const other = this.catalog.of(kind.section).find((each) => each.row && each.name === entry.name);
    if (!other) return;
    const name = writtenName(open, shape[open]!);
    const text = other.labels.slice(0, -1).join(' / ');
    this.fault(
      declared,
      open,
      `"${entry.name}" of "${text}" exists: write "${name}: ${text}" for it, or "${name}: null" for a new record.`,
    );
  }

  private async compare(step: Step): Promise<void> {
    const { declared, entry } = step;
    const { kind, fields, absent } = declared;
    const shape = fieldsOf(kind);
    const naming = (_to: string, value: unknown): string =>
      value instanceof Reference
        ? (this.target(value, step.scope)?.key ?? '')
        : (this.catalog.findId(_to, value as number)?.key ?? `id ${value}`);
    if (!entry.row) {
      step.action = 'create';
      for (const [field, what] of absent) this.fault(declared, field, `The value is missing: ${what}.`);
      for (const [field, schema] of Object.entries(shape)) {
        if (fields.has(field)) normal(schema, fields.get(field), naming);
        else if (!absent.has(field) && !schema.safeParse(undefined).success)
          this.fault(declared, field, `Add "${writtenName(field, schema)}": a new record needs it.`);
      }
      return;
    }
    for (const [field, after] of fields) {
      const schema = shape[field]!;
      const changeable = Object.hasOwn(kind.resource.update.shape, field) || kind.others?.[field] !== undefined;
      if (isSecret(kind, field)) {
        const shown = kind.resource.unshown[field];
        const has = shown === undefined || entry.row[shown] !== null;
        if (has && !(this.options.setSecrets && changeable)) step.kept.push({ field, settable: changeable });
        else step.changes.push({ field, before: null, after });
        continue;
      }
      const before = kind.others?.[field]
        ? await kind.others[field].read(this.calls, entry.id!)
        : Object.hasOwn(entry.row, field)
          ? entry.row[field]
          : undefined;
      // A field that no answer shows only counts for a new record.
      if (before === undefined && !kind.others?.[field]) continue;
      const loose = kind.unordered?.includes(field);
      const [old, wanted] = [before, after].map((value) => JSON.stringify(normal(schema, value, naming, loose)));
      if (old === wanted) continue;
      if (!changeable)
        this.fault(
          declared,
          field,
          `It is ${this.shown(schema, before, step.scope)} and cannot be changed here. Write that, or leave it out.`,
        );
      else step.changes.push({ field, before, after });
    }
    if (step.changes.length > 0) step.action = 'change';
  }

  /** Puts the records that a record refers to before it. */
  private order(step: Step): void {
    const { kind, fields } = step.declared;
    const look = (schema: z.ZodType, value: unknown, field: string): void => {
      if (value instanceof Reference) {
        const target = this.target(value, step.scope);
        const before = target && this.stepOf.get(target);
        if (before && before !== step) step.after.add(before);
        const waited = kind.waits?.[field];
        if (waited === undefined || !target) return;
        const owned = this.catalog.of(waited).find((entry) => entry.scope === target.key);
        const other = owned && this.stepOf.get(owned);
        if (other) step.after.add(other);
        else if (!owned) this.fault(step.declared, field, `"${value.text}" is not declared under "${waited}:".`);
      } else if (Array.isArray(value)) {
        const element = elementOf(schema);
        for (const each of value) if (element) look(element, each, field);
      } else if (value !== null && typeof value === 'object')
        for (const [name, inner] of Object.entries(shapeOf(schema) ?? {}))
          look(inner, (value as Record<string, unknown>)[name], field);
    };
    for (const [field, value] of fields) look(fieldsOf(kind)[field]!, value, field);
  }

  private shown(schema: z.ZodType, value: unknown, scope: string | null): string {
    if (value === null) return 'empty';
    const name = typeof value === 'number' ? this.catalog.nameOfId(schema, value, scope) : undefined;
    return JSON.stringify(name ?? value);
  }

  private target(reference: Reference, scope: string | null): Entry | undefined {
    const found = this.catalog.resolve(reference, scope);
    if (typeof found !== 'string') return found;
    const { line, path } = reference;
    if (!this.faults.some((fault) => fault.line === line && fault.path === path))
      this.faults.push({ line, path, message: found });
    return undefined;
  }

  private fault({ kind, line, path }: Declared, field: string, message: string): void {
    const schema = fieldsOf(kind)[field];
    this.faults.push({ line, path: `${path}.${schema ? writtenName(field, schema) : field}`, message });
  }
}
