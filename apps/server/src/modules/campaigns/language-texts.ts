import { type CompiledText, compileText, type MergeValues } from '@heliograph/contract/kernel/merge-fields';
import { type LanguageText, plainLanguage } from '@heliograph/contract/templates/language-texts';
import { keysOf, type TextField } from './contact-placeholders.ts';
import type { AudiencePlan } from './expand-audience.ts';

/** Texts of a campaign by language. */
export interface LanguagePlan {
  /** Key of the contact field whose value is the language. */
  key: string;
  /** Texts by the plain form of their language. */
  texts: ReadonlyMap<string, { language: string; text: CompiledText }>;
}

/** Returns the texts by language of a content, which may use these fields; null if it has one text. */
export function languagePlan(texts: readonly LanguageText[], fields: readonly TextField[]): LanguagePlan | null {
  const field = fields.find(({ chooses }) => chooses);
  if (texts.length === 0 || !field) return null;
  const keys = keysOf(fields);
  const compiled = texts.map(
    ({ language, text }) => [plainLanguage(language), { language, text: compileText(text, keys) }] as const,
  );
  return { key: field.key, texts: new Map(compiled) };
}

/** Returns the text for a recipient with these values; undefined for the default text. */
export const textFor = ({ key, texts }: LanguagePlan, values: MergeValues) =>
  texts.get(plainLanguage(values[key] ?? ''));

/** Returns the merge fields that a plan's texts use; none if each recipient brings a text. */
export const fieldsOfTexts = ({
  text,
  languages,
  own_texts,
}: Pick<AudiencePlan, 'text' | 'languages' | 'own_texts'>) =>
  own_texts
    ? []
    : [
        ...new Set(
          [text, ...[...(languages?.texts.values() ?? [])].map((each) => each.text)].flatMap(({ fields }) => fields),
        ),
      ];

/** Counts messages by the language of their text. */
export class LanguageCounts {
  readonly #counts: Map<string | null, number>;

  constructor({ texts }: LanguagePlan) {
    this.#counts = new Map([...[...texts.values()].map(({ language }) => [language, 0] as const), [null, 0]]);
  }

  add({ language }: { language: string | null }): void {
    this.#counts.set(language, (this.#counts.get(language) ?? 0) + 1);
  }

  /** Returns the counts in the order of the texts; those of the default text are last. */
  result(): { language: string | null; count: number }[] {
    return [...this.#counts].map(([language, count]) => ({ language, count }));
  }
}
