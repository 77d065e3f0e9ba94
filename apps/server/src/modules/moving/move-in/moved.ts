import { writeDocument } from '../write-document.ts';

/** Remark on a line of another product's file: what differs here, or what cannot be taken over and why. */
export interface Note {
  kind: 'differs' | 'refused';
  file: string;
  line: number;
  text: string;
}

/** Place in a file of another product. */
export interface Place {
  file: string;
  line: number;
}

/** Answers of the person who moves in to what another product's files do not say. */
export interface MoveInOptions {
  /** Name of the corporation that gets the programs, senders and numbers. */
  corporation: string;
  /** Email address that is told before a key ends. */
  contact: string;
  /** Numbers to which phones write. */
  numbers: readonly string[];
  /** Files of numbers that get no messages. */
  blocked: readonly string[];
  /** First day of the prices, such as 2026-01-31. */
  today: string;
  /** Whether the links bind as soon as they are created. */
  enable: boolean;
}

type Written = Record<string, unknown>;

/** Order of the sections in a written file. */
const SECTIONS = [
  'links',
  'corporations',
  'departments',
  'price-plans',
  'rates',
  'billing-accounts',
  'users',
  'sender-ids',
  'carrier-routes',
  'aliases',
  'routings',
  'smpp-system-ids',
  'service-accounts',
  'service-account-keys',
  'number-lists',
  'opt-out-files',
  'blacklist-files',
  'number-files',
  'payments',
] as const;
type Section = (typeof SECTIONS)[number];

/** A declared installation that is made from another product's files, with the notes about it. */
export class Moved {
  readonly notes: Note[] = [];
  /** Secrets by the names of environment variables. */
  readonly secrets = new Map<string, string>();
  /** Files that the declared installation loads, by their names. */
  readonly files = new Map<string, string>();
  private readonly records = new Map<Section, Written[]>();
  private readonly product: string;

  constructor(product: string) {
    this.product = product;
  }

  add(section: Section, record: Written): void {
    const list = this.records.get(section) ?? [];
    // A field without a value has its default.
    list.push(Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));
    this.records.set(section, list);
  }

  of(section: Section): readonly Written[] {
    return this.records.get(section) ?? [];
  }

  /** Changes fields of the record with a name. */
  change(section: Section, name: string, fields: Written): void {
    const record = this.records.get(section)?.find((each) => each['name'] === name);
    if (record) Object.assign(record, fields);
  }

  note(kind: Note['kind'], { file, line }: Place, text: string): void {
    this.notes.push({ kind, file, line, text });
  }

  /** Keeps a secret; returns what stands for it in the written file. */
  secret(name: string, value: string): string {
    const wanted = `${this.product}_${name}_PASSWORD`.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
    let variable = wanted;
    for (let more = 2; this.secrets.has(variable) && this.secrets.get(variable) !== value; more++)
      variable = `${wanted}_${more}`;
    this.secrets.set(variable, value);
    return `\${${variable}}`;
  }

  /** Keeps the lines of a file beside the written one; returns its name. */
  keepFile(title: string, lines: readonly string[]): string {
    const base = title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/-$/, '');
    let name = `${base}.csv`;
    for (let more = 2; this.files.has(name); more++) name = `${base}-${more}.csv`;
    this.files.set(name, `${lines.join('\n')}\n`);
    return name;
  }

  /** Adds the corporation with an account that its programs send from, if the files have no prices of their own. */
  addCorporation(name: string): void {
    this.add('corporations', { name });
    this.add('price-plans', {
      corporation: undefined,
      name: `${name} prices`,
      type: 'postpaid_special',
      default_charge: '0',
    });
    this.add('billing-accounts', {
      corporation: name,
      name: 'Main',
      key: `${this.product}-${name}`.slice(0, 50),
      price_plan: `${name} prices`,
    });
  }

  /** Writes the declared installation. */
  write(): string {
    const about = ` Made from files of ${this.product}. Read the notes of the command before you apply it.
 Secrets are in environment variables: "heliograph apply" reads them with --secrets FILE.`;
    return writeDocument(
      SECTIONS.map((section) => [section, this.of(section)]),
      about,
    );
  }
}

/** Writes a value as a cell of a CSV. */
export const cell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
