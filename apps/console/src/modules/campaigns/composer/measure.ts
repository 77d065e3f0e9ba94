import { withSampleLinks } from '@heliograph/contract/campaigns/short-link';
import {
  type CompiledText,
  compileText,
  type MergeField,
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

/** A text as one recipient gets it, and what it costs in parts. */
export interface Measured {
  compiled: CompiledText;
  text: string;
  /** Fields for which there is neither a value nor a default. */
  missing: readonly MergeField[];
  segments: Segmentation;
  /** Characters of the written text that force Unicode, in order. */
  unicode: UnicodeCharacter[];
  /** The text is written in a script outside GSM 03.38; pointing at every character of it would help nobody. */
  deliberate: boolean;
  /** The written text is plain, but a value put into it is not. */
  unicodeByValue: boolean;
  /** What replacing all that can be replaced leads to; absent where the text would stay Unicode. */
  plain: { text: string; parts: number } | undefined;
}

/** What is done to a text once its values are in it. */
export interface Finish {
  /** Signature and opt-out text. */
  ending?: string;
  /** What short links begin with; absent where addresses stay as they are. */
  shortLinkBase?: string | undefined;
  /** The text is one row's own, and braces in it mean nothing. */
  literal?: boolean;
}

/** Measures a text with one recipient's values, by the rule that also prices and sends it. */
export function measure(
  template: string,
  values: MergeValues,
  defaults: MergeValues,
  { ending = '', shortLinkBase, literal = false }: Finish = {},
): Measured {
  const compile = (text: string): CompiledText =>
    literal ? { pieces: [text], fields: [], unknown: [] } : compileText(text);
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

/** A text cut into what is shown plain and what is marked in the editor. */
export function marksOf(
  template: string,
  measured: Pick<Measured, 'unicode' | 'deliberate' | 'compiled'>,
): { kind: MarkKind; text: string }[] {
  const known: ReadonlySet<string> = new Set(measured.compiled.fields);
  const strange: ReadonlySet<string> = new Set(measured.compiled.unknown);
  const spots: { at: number; length: number; kind: MarkKind }[] = measured.deliberate
    ? []
    : measured.unicode.map(({ index, character }) => ({ at: index, length: character.length, kind: 'unicode' }));
  for (const match of template.matchAll(/\{([A-Za-z_][A-Za-z0-9_]*)\}/g)) {
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

/** The distinct characters that force Unicode, with how often each occurs. */
export function distinctUnicode(unicode: readonly UnicodeCharacter[]): (UnicodeCharacter & { count: number })[] {
  const found = new Map<string, UnicodeCharacter & { count: number }>();
  for (const character of unicode) {
    const present = found.get(character.character);
    if (present) present.count++;
    else found.set(character.character, { ...character, count: 1 });
  }
  return [...found.values()];
}
