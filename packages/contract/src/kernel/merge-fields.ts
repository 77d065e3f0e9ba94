/** Merge fields: `{name}` and `{param1}`…`{param9}`. They are replaced literally, in one pass; no template language. */
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
export type MergeValues = Partial<Record<MergeField, string | null | undefined>>;

/** Pattern of a text that looks like a merge field; its group is the name. */
export const MERGE_FIELD = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const KNOWN: ReadonlySet<string> = new Set(MERGE_FIELDS);

/** A text cut at its fields, ready to render for many recipients. */
export interface CompiledText {
  /** Literals and field names by turns; literals have even positions. */
  pieces: readonly string[];
  fields: readonly MergeField[];
  unknown: readonly string[];
}

/** Cuts a text at its merge fields. `unknown` lists names that look like fields but are not. */
export function compileText(template: string): CompiledText {
  const pieces: string[] = [];
  const fields = new Set<MergeField>();
  const unknown = new Set<string>();
  let last = 0;
  for (const match of template.matchAll(MERGE_FIELD)) {
    const name = match[1]!;
    if (!KNOWN.has(name)) {
      unknown.add(name);
      continue;
    }
    pieces.push(template.slice(last, match.index), name);
    fields.add(name as MergeField);
    last = match.index + match[0].length;
  }
  pieces.push(template.slice(last));
  return { pieces, fields: [...fields], unknown: [...unknown] };
}

/** Returns the text for one recipient. A missing value uses its default; `missing` names fields with neither. */
export function renderText(
  compiled: CompiledText,
  values: MergeValues,
  defaults: MergeValues = {},
): { text: string; missing: MergeField[] } {
  const missing: MergeField[] = [];
  let text = compiled.pieces[0]!;
  for (let i = 1; i < compiled.pieces.length; i += 2) {
    const field = compiled.pieces[i] as MergeField;
    const value = values[field] || defaults[field];
    if (!value) missing.push(field);
    text += (value ?? '') + compiled.pieces[i + 1]!;
  }
  return { text, missing };
}
