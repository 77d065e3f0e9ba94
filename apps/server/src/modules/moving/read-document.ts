import { issueText } from '@heliograph/contract/kernel/issues';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { z } from 'zod';
import { translate } from '#platform/text/i18n';
import { EXTRAS, type Extra } from './extras.ts';
import { KINDS, type Kind, kindOf } from './kinds.ts';
import { elementOf, fieldsOf, isSecret, nearest, referredBy, shapeOf, typeOf, writtenName } from './schemas.ts';
import { expand, type Surroundings } from './values.ts';

/** Version of the form of files. */
export const FORM = 1;

/** Fault of a file: its line, the path of keys, and the fix. */
export interface Fault {
  line: number;
  path: string;
  message: string;
}

/** Reference to a record by its name. */
export class Reference {
  readonly to: string;
  readonly text: string;
  readonly line: number;
  readonly path: string;

  constructor(to: string, text: string, line: number, path: string) {
    this.to = to;
    this.text = text;
    this.line = line;
    this.path = path;
  }
}

/** Record of a file. */
export interface Declared {
  kind: Kind;
  /** Values by the names of calls; a reference is a `Reference`. */
  fields: Map<string, unknown>;
  /** Secrets that are named and not given, each with what to do. */
  absent: Map<string, string>;
  line: number;
  path: string;
}

/** Entry of a file that is no record: a file to load, or a payment. */
export interface DeclaredExtra {
  extra: Extra;
  fields: Map<string, unknown>;
  line: number;
  path: string;
}

export interface Document {
  records: Declared[];
  extras: DeclaredExtra[];
  faults: Fault[];
}

/** Reads a declared installation. Values are checked one by one; names of records are resolved later. */
export function readDocument(text: string, around: Surroundings): Document {
  return new Reader(text, around).read();
}

class Reader {
  private readonly lines = new LineCounter();
  private readonly yaml;
  private readonly around: Surroundings;
  private readonly faults: Fault[] = [];

  constructor(text: string, around: Surroundings) {
    this.around = around;
    this.yaml = parseDocument(text, { lineCounter: this.lines, prettyErrors: false });
  }

  read(): Document {
    const empty = { records: [], extras: [], faults: this.faults };
    for (const { pos, message } of this.yaml.errors)
      this.faults.push({ line: this.lines.linePos(pos[0]).line, path: '', message: `This is not YAML: ${message}` });
    if (this.faults.length > 0) return empty;
    const root = this.yaml.contents;
    if (!isMap(root)) {
      this.fault(root, '', `Begin the file with "heliograph: ${FORM}", then a section such as "links:".`);
      return empty;
    }
    const records: Declared[] = [];
    const extras: DeclaredExtra[] = [];
    if (this.plain(root.get('heliograph', true) as Node) !== FORM)
      this.fault(root, 'heliograph', `Write "heliograph: ${FORM}" on the first line: it names the form of this file.`);
    for (const { key, value } of root.items) {
      const section = String(this.plain(key as Node));
      if (section === 'heliograph') continue;
      const kind = kindOf(section);
      const extra = EXTRAS.find((each) => each.section === section);
      if ((!kind || kind.declared === false) && !extra) {
        this.fault(key as Node, section, unknown('section', section, sections()));
        continue;
      }
      const list = this.target(value as Node | null);
      if (list === null || (isScalar(list) && list.value === null)) continue;
      if (!isSeq(list)) {
        this.fault(list, section, 'Write a list: each record begins with "- ".');
        continue;
      }
      for (const [index, item] of list.items.entries()) {
        const path = `${section}[${index + 1}]`;
        const node = this.target(item as Node);
        if (kind) records.push(this.record(kind, node, path));
        else extras.push(this.extra(extra!, node, path));
      }
    }
    return { records, extras, faults: this.faults };
  }

  private record(kind: Kind, node: Node | null, path: string): Declared {
    const fields = fieldsOf(kind);
    const absent = new Map<string, string>();
    const secret = (field: string) => isSecret(kind, field);
    const values = this.values(fields, node, path, { secret, absent });
    return { kind, fields: values, absent, line: this.lineOf(node), path };
  }

  private extra(extra: Extra, node: Node | null, path: string): DeclaredExtra {
    return { extra, fields: this.values(extra.fields.shape, node, path), line: this.lineOf(node), path };
  }

  /** Reads the fields of one object; each value is checked by its schema. */
  private values(
    shape: Readonly<Record<string, z.ZodType>>,
    node: Node | null,
    path: string,
    secrets?: { secret: (field: string) => boolean; absent: Map<string, string> },
  ): Map<string, unknown> {
    const values = new Map<string, unknown>();
    if (!isMap(node)) {
      this.fault(node, path, 'Write "name: value" lines here.');
      return values;
    }
    const names = new Map(Object.entries(shape).map(([name, schema]) => [writtenName(name, schema), name]));
    for (const pair of node.items) {
      const written = String(this.plain(pair.key as Node));
      const name = names.get(written);
      const at = `${path}.${written}`;
      if (name === undefined) {
        this.fault(pair.key as Node, at, unknown('field', written, names.keys()));
        continue;
      }
      const schema = shape[name]!;
      const isSecretField = secrets?.secret(name) === true;
      const value = this.value(
        schema,
        pair.value as Node | null,
        at,
        (missing) => {
          if (isSecretField) secrets.absent.set(name, missing);
          else this.fault(pair.value as Node, at, `The value is missing: ${missing}.`);
        },
        isSecretField,
      );
      if (secrets?.absent.has(name) || value === MISSING) continue;
      if (value === FAULTY) continue;
      if (!hasReference(value)) {
        const checked = schema.safeParse(value, { reportInput: true });
        if (!checked.success) {
          for (const issue of checked.error.issues) {
            const { key, params } = issueText(issue);
            const inner = issue.path.length > 0 ? `.${issue.path.join('.')}` : '';
            this.fault(pair.value as Node, at + inner, translate('en', keyIn('validation', key), params));
          }
          continue;
        }
        values.set(name, checked.data);
      } else values.set(name, value);
    }
    return values;
  }

  /** Reads a value by its schema: numbers stay as they are written where a text is asked for. */
  private value(
    schema: z.ZodType,
    raw: Node | null,
    path: string,
    missing: (what: string) => void,
    secret = false,
  ): unknown {
    const node = this.target(raw);
    if (node === null) return null;
    const to = referredBy(schema);
    if (isSeq(node)) {
      const element = elementOf(schema);
      if (element === undefined) return node.toJS(this.yaml);
      const read = node.items.map((item, at) => this.value(element, item as Node, `${path}[${at + 1}]`, missing));
      return read.includes(FAULTY) ? FAULTY : read;
    }
    if (isMap(node)) {
      const shape = shapeOf(schema);
      if (shape === undefined) return node.toJS(this.yaml);
      const before = this.faults.length;
      const values = this.values(shape, node, path);
      return this.faults.length > before ? FAULTY : Object.fromEntries(values);
    }
    if (!isScalar(node)) return node.toJS(this.yaml);
    let value: unknown = node.value;
    if (typeof value === 'string') {
      const expanded = expand(value, secret, this.around);
      if ('missing' in expanded) {
        missing(expanded.missing);
        return MISSING;
      }
      value = expanded.value;
    }
    if (to !== undefined) {
      if (value === null) return null;
      return new Reference(to, String(typeof value === 'string' ? value : node.source), this.lineOf(node), path);
    }
    if ((typeof value === 'number' || typeof value === 'bigint') && wantsText(schema)) return String(node.source);
    return value;
  }

  private target(node: Node | null): Node | null {
    return isAlias(node) ? (node.resolve(this.yaml) ?? null) : node;
  }

  private plain(node: Node | null): unknown {
    return isNode(node) ? node.toJS(this.yaml) : node;
  }

  private lineOf(node: Node | null): number {
    return node?.range ? this.lines.linePos(node.range[0]).line : 1;
  }

  private fault(node: Node | null, path: string, message: string): void {
    this.faults.push({ line: this.lineOf(node), path, message });
  }
}

const MISSING = Symbol('missing');
const FAULTY = Symbol('faulty');

const sections = () => [
  ...KINDS.filter(({ declared }) => declared !== false).map(({ section }) => section),
  ...EXTRAS.map(({ section }) => section),
];

/** Whether a field takes a text: only then a number keeps its leading zeros. */
const wantsText = (schema: z.ZodType): boolean => ['string', 'enum'].includes(typeOf(schema));

/** Whether a value, or a part of it, refers to a record. */
export function hasReference(value: unknown): boolean {
  if (value instanceof Reference) return true;
  if (value === null || typeof value !== 'object') return false;
  return Object.values(value).some(hasReference);
}

function unknown(what: string, name: string, names: Iterable<string>): string {
  const all = [...names];
  const near = nearest(name, all);
  return `There is no ${what} "${name}". ${near ? `Do you mean "${near}"?` : `Use one of: ${all.join(', ')}.`}`;
}
