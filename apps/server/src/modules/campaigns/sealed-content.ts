import { campaignContent } from '@heliograph/contract/campaigns/quote';
import type { LanguageText } from '@heliograph/contract/templates/language-texts';
import type { z } from 'zod';
import type { Queryable } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import { isSealed, placedText, sealedWith, sealText, type TextKey } from '#platform/text/sealed-text';
import { currentTextKey, type KeyConfig, openerOf } from '#platform/text/text-keys';

// Quotes, drafts, campaigns and series are copies of each other, so the place of their texts is the same. What else makes
// up the texts, default values and parameters, is encrypted as one document.

/** Parts of a stored content that make up the texts. */
interface Texts {
  content: string;
  /** Texts by language, each encrypted for itself. */
  language_texts?: readonly LanguageText[];
  defaults?: unknown;
  parameters?: unknown;
  /** Encrypted document with the default values and parameters, in a stored content. */
  values_sealed?: string;
}

interface Reading {
  db: Queryable;
  config: KeyConfig;
}

/** Record with a content: its text is encrypted for its corporation. */
interface Stored {
  corporation_id: number | null;
  content: unknown;
}

/** Returns a content as it is stored: encrypted if its corporation has a key. */
export async function storedContent<Content extends Texts>(
  { db, config }: Reading,
  corporation_id: number | null,
  content: Content,
): Promise<Content> {
  const key = corporation_id === null ? null : await currentTextKey(db, config, corporation_id);
  if (!key) return content;
  const { content: text, language_texts, defaults, parameters } = content;
  const sealed = (each: string) => (each === '' ? '' : sealText(key, 'campaign', each));
  return {
    ...content,
    content: sealed(text),
    ...(language_texts && { language_texts: language_texts.map((each) => ({ ...each, text: sealed(each.text) })) }),
    defaults: {},
    parameters: [],
    values_sealed: sealText(key, 'campaign', JSON.stringify({ defaults, parameters })),
  };
}

/** Returns the content of a record, opened. Throws `text_key_destroyed` if it cannot be read. */
export async function openContent(
  { db, config }: Reading,
  { corporation_id, content: stored }: Stored,
): Promise<unknown> {
  const { values_sealed, ...content } = stored as Texts;
  if (values_sealed === undefined || corporation_id === null) return content;
  const byLanguage = content.language_texts ?? [];
  const texts = [content.content, values_sealed, ...byLanguage.map(({ text }) => text)];
  const placed = texts.map((text) => placedText(text, corporation_id, 'campaign'));
  const open = await openerOf(db, config, placed);
  const [text, values, ...others] = placed.map((each) => {
    const opened = open(each);
    if ('closed' in opened) throw new BusinessError('text_key_destroyed');
    return opened.text;
  });
  const language_texts = byLanguage.map(({ language }, at) => ({ language, text: others[at]! }));
  return { ...content, ...(JSON.parse(values!) as object), content: text, language_texts };
}

/** Returns a stored content without its texts, with the defaults of fields that the release which wrote it did not have. */
export const plainFields = (content: unknown): z.output<typeof campaignContent> =>
  campaignContent.parse({ ...(content as object), content: '', language_texts: [] });

/** Returns the text of a stored content with its place, which an answer opens. */
export const placedContent = ({ corporation_id, content }: { corporation_id: number; content: unknown }): string =>
  placedText((content as Texts).content, corporation_id, 'campaign');

/** Returns the texts by language of a stored content with their places, which an answer opens. */
export const placedLanguageTexts = (of: { corporation_id: number; content: unknown }): LanguageText[] =>
  ((of.content as Texts).language_texts ?? []).map(({ language, text }) => ({
    language,
    text: placedText(text, of.corporation_id, 'campaign'),
  }));

/** Tells whether the text of a stored content is encrypted. */
export const isSealedContent = (content: Texts): boolean => isSealed(content.content);

/** Returns the texts of samples as they are stored. */
export const storedSamples = <Sample extends { text: string }>(
  key: TextKey | null,
  samples: readonly Sample[],
): Sample[] => samples.map((sample) => ({ ...sample, text: sealedWith(key, 'campaign', sample.text) }));

/** Returns stored samples with the place of their texts, which an answer opens. */
export const placedSamples = <Sample extends { text: string }>(
  corporation_id: number,
  samples: readonly Sample[],
): Sample[] => samples.map((sample) => ({ ...sample, text: placedText(sample.text, corporation_id, 'campaign') }));
