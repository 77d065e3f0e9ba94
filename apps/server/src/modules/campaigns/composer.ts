import { withSampleLinks } from '@heliograph/contract/campaigns/short-link';
import { hasFields, type MergeValues, renderText } from '@heliograph/contract/kernel/merge-fields';
import { countParts, MAX_PARTS } from '@heliograph/contract/kernel/segments';
import { WebFindings, type WebRefusal } from '#modules/moderation';
import type { AudiencePlan } from './expand-audience.ts';
import { textFor } from './language-texts.ts';

type Composed =
  | {
      text: string;
      written: string;
      parts: number;
      unicode: boolean;
      /** Language of the text; null for the default text. */
      language: string | null;
      reason?: never;
      web?: never;
    }
  | { reason: 'missing_value' | 'blocked_text' | 'no_template' | 'text_too_long'; web?: never }
  | { reason: 'web_link'; web: WebRefusal };

/** Part of the plan that decides how a text is made. */
export type Composing = Pick<
  AudiencePlan,
  | 'text'
  | 'languages'
  | 'own_texts'
  | 'short_link_base'
  | 'ending'
  | 'defaults'
  | 'skip_default_param'
  | 'blocked'
  | 'web'
  | 'templates'
>;

/** Tells if every recipient gets exactly the same text, so that it can be queued once. */
export const isCommon = ({ text, languages, own_texts, short_link_base }: Composing): boolean =>
  !own_texts && !languages && !hasFields(text) && !(short_link_base !== null && text.pieces[0]!.includes('://'));

/** Returns a function that renders and measures the text for each recipient. A text without fields is measured once. */
export function composer(
  plan: Composing,
  findings = new WebFindings(),
): (values: MergeValues, ownText?: string) => Composed {
  const defaults = plan.skip_default_param ? {} : plan.defaults;
  const base = plan.short_link_base;
  const { languages } = plan;
  const measure = (written: string, language: string | null = null): Composed => {
    if (written.trim() === '') return { reason: 'missing_value' };
    // The address itself must pass the check, not the short code in its place.
    if (plan.blocked(written + plan.ending)) return { reason: 'blocked_text' };
    if (plan.templates && !plan.templates.passes(written)) return { reason: 'no_template' };
    const web = plan.web && findings.check(plan.web, written + plan.ending);
    if (web) return { reason: 'web_link', web };
    const text = (base === null ? written : withSampleLinks(written, base)) + plan.ending;
    const { parts, encoding } = countParts(text);
    if (parts > MAX_PARTS) return { reason: 'text_too_long' };
    return { text, written, parts, unicode: encoding === 'ucs2', language };
  };
  if (plan.own_texts) return (_values, ownText = '') => measure(ownText);
  if (!hasFields(plan.text) && !languages) {
    const common = measure(renderText(plan.text, {}).text);
    return () => common;
  }
  return (values) => {
    const chosen = languages && textFor(languages, values);
    const { text, missing } = renderText(chosen?.text ?? plan.text, values, defaults);
    if (plan.skip_default_param && missing.length > 0) return { reason: 'missing_value' };
    return measure(text, chosen?.language);
  };
}
