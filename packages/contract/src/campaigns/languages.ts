import { z } from 'zod';
import { personText } from '../kernel/personal.ts';

/** Number of messages with the text of a language; null for the default text. */
export const languageCount = z.object({ language: z.string().nullable(), count: z.int() });

/** Fields about the texts by language of a campaign. */
export const languagesOfCampaign = {
  /** Messages by the language of their text; empty for one text, and before the messages are written. */
  languages: z.array(languageCount),
  /** Texts by language; null if the caller may not read texts. */
  language_texts: z.array(z.object({ language: z.string(), text: personText(z.string()) })).nullable(),
};
