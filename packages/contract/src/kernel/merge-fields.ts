/**
 * Merge fields that every recipient may bring: `{name}` and `{param1}`…`{param9}`. Fields of a corporation's contacts are
 * used by their keys, such as `{city}`. All are replaced literally, in one pass; no template language.
 */
export const MERGE_FIELDS = [
  'name',
  'param1',
  'param2',
  'param3',
  'param4',
  'param5',
  'param6',
  'param7',
  'param8',
  'param9',
] as const;
export type MergeField = (typeof MERGE_FIELDS)[number];

/** Values of one recipient, by merge field or key of a contact field. */
export interface MergeValues extends Partial<Record<MergeField, string | null | undefined>> {
  [key: string]: string | null | undefined;
}

/** Form of the key of a contact field. */
export const FIELD_KEY = /^[a-z][a-z0-9_]{0,39}$/;

/** Pattern of a text that looks like a merge field; its group is the name. */
export const MERGE_FIELD = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const KNOWN: ReadonlySet<string> = new Set(MERGE_FIELDS);

/** A text cut at its fields, ready to render for many recipients. */
export interface CompiledText {
  /** Literals and field names by turns; literals have even positions. */
  pieces: readonly string[];
  fields: readonly MergeField[];
  /** Keys of contact fields. */
  contact_fields: readonly string[];
  unknown: readonly string[];
}

const NONE: ReadonlySet<string> = new Set();

/** Tells if a text differs by recipient. */
export const hasFields = ({ pieces }: Pick<CompiledText, 'pieces'>): boolean => pieces.length > 1;

/** Returns all fields that a text uses: merge fields, then keys of contact fields. */
export const allFields = ({ fields, contact_fields }: CompiledText): string[] => [...fields, ...contact_fields];

/**
 * Cuts a text at its merge fields and at the keys of contact fields. `unknown` lists names that look like fields but are
 * not.
 */
export function compileText(template: string, keys: ReadonlySet<string> = NONE): CompiledText {
  const pieces: string[] = [];
  const fields = new Set<MergeField>();
  const contactFields = new Set<string>();
  const unknown = new Set<string>();
  let last = 0;
  for (const match of template.matchAll(MERGE_FIELD)) {
    const name = match[1]!;
    if (KNOWN.has(name)) fields.add(name as MergeField);
    else if (keys.has(name)) contactFields.add(name);
    else {
      unknown.add(name);
      continue;
    }
    pieces.push(template.slice(last, match.index), name);
    last = match.index + match[0].length;
  }
  pieces.push(template.slice(last));
  return { pieces, fields: [...fields], contact_fields: [...contactFields], unknown: [...unknown] };
}

/** Returns the text for one recipient. A missing value uses its default; `missing` names fields with neither. */
export function renderText(
  compiled: CompiledText,
  values: MergeValues,
  defaults: MergeValues = {},
): { text: string; missing: string[] } {
  const missing: string[] = [];
  let text = compiled.pieces[0]!;
  for (let i = 1; i < compiled.pieces.length; i += 2) {
    const field = compiled.pieces[i]!;
    const value = values[field] || defaults[field];
    if (!value) missing.push(field);
    text += (value ?? '') + compiled.pieces[i + 1]!;
  }
  return { text, missing };
}

/** Returns a text in which each field has a value that fits every placeholder of an approved template. */
export const withAnyValues = (compiled: CompiledText): string =>
  renderText(compiled, Object.fromEntries(allFields(compiled).map((field) => [field, '1']))).text;
