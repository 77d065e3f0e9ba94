import { withSampleLinks } from '@heliograph/contract/campaigns/short-link';
import {
  allFields,
  type CompiledText,
  compileText,
  MERGE_FIELD,
  type MergeValues,
  renderText,
} from '@heliograph/contract/kernel/merge-fields';
import {
  countParts,
  encodingOf,
  type Segmentation,
  segment,
  toGsm,
  type UnicodeCharacter,
  unicodeCharacters,
} from '@heliograph/contract/kernel/segments';

/** Text as one recipient receives it, and its parts. */
export interface Measured {
  compiled: CompiledText;
  text: string;
  /** Fields that have neither a value nor a default. */
  missing: readonly string[];
  segments: Segmentation;
  /** Characters of the written text that force Unicode, in order. */
  unicode: UnicodeCharacter[];
  /** Set if the text is written in a script outside GSM 03.38. Marking each of its characters would not help. */
  deliberate: boolean;
  /** Set if the written text is plain, but a value inserted into it is not. */
  unicodeByValue: boolean;
  /** Result of replacing all replaceable characters; undefined if the text would stay Unicode. */
  plain: { text: string; parts: number } | undefined;
}

/** Changes made to a text after its values are inserted. */
export interface Finish {
  /** Signature and opt-out text. */
  ending?: string;
  /** Prefix of short links; undefined if addresses stay unchanged. */
  shortLinkBase?: string | undefined;
  /** Set if the text belongs to one row only, so that braces have no meaning. */
  literal?: boolean;
  /** Keys of contact fields that the text may use. */
  keys?: ReadonlySet<string>;
}

/** Measures a text with one recipient's values. The same rule prices and sends it. */
export function measure(
  template: string,
  values: MergeValues,
  defaults: MergeValues,
  { ending = '', shortLinkBase, literal = false, keys }: Finish = {},
): Measured {
  const compile = (text: string): CompiledText =>
    literal ? { pieces: [text], fields: [], contact_fields: [], unknown: [] } : compileText(text, keys);
  const finished = (text: string) =>
    (shortLinkBase === undefined ? text : withSampleLinks(text, shortLinkBase)) + (text.trim() === '' ? '' : ending);
  const compiled = compile(template);
  const rendered = renderText(compiled, values, defaults);
  const text = finished(rendered.text);
  const segments = segment(text);
  const unicode = unicodeCharacters(template);
  const replaced = unicode.length > 0 ? toGsm(template) : template;
  const plain =
    unicode.length > 0 && encodingOf(replaced) === 'gsm'
      ? { text: replaced, parts: countParts(finished(renderText(compile(replaced), values, defaults).text)).parts }
      : undefined;
  return {
    compiled,
    text,
    missing: rendered.missing,
    segments,
    unicode,
    deliberate: unicode.length > Math.max(3, template.length / 5),
    unicodeByValue: unicode.length === 0 && encodingOf(rendered.text) === 'ucs2',
    plain,
  };
}

export type MarkKind = 'text' | 'field' | 'unknown' | 'unicode';

/** Splits a text into pieces that the editor shows plain and pieces that it marks. */
export function marksOf(
  template: string,
  measured: Pick<Measured, 'unicode' | 'deliberate' | 'compiled'>,
): { kind: MarkKind; text: string }[] {
  const known: ReadonlySet<string> = new Set(allFields(measured.compiled));
  const strange: ReadonlySet<string> = new Set(measured.compiled.unknown);
  const spots: { at: number; length: number; kind: MarkKind }[] = measured.deliberate
    ? []
    : measured.unicode.map(({ index, character }) => ({ at: index, length: character.length, kind: 'unicode' }));
  for (const match of template.matchAll(MERGE_FIELD)) {
    const kind = known.has(match[1]!) ? 'field' : strange.has(match[1]!) ? 'unknown' : undefined;
    if (kind) spots.push({ at: match.index, length: match[0].length, kind });
  }
  spots.sort((a, b) => a.at - b.at);
  const marks: { kind: MarkKind; text: string }[] = [];
  let last = 0;
  for (const { at, length, kind } of spots) {
    if (at > last) marks.push({ kind: 'text', text: template.slice(last, at) });
    marks.push({ kind, text: template.slice(at, at + length) });
    last = at + length;
  }
  marks.push({ kind: 'text', text: template.slice(last) });
  return marks;
}

/** Returns the distinct characters that force Unicode, with the count of each. */
export function distinctUnicode(unicode: readonly UnicodeCharacter[]): (UnicodeCharacter & { count: number })[] {
  const found = new Map<string, UnicodeCharacter & { count: number }>();
  for (const character of unicode) {
    const present = found.get(character.character);
    if (present) present.count++;
    else found.set(character.character, { ...character, count: 1 });
  }
  return [...found.values()];
}
