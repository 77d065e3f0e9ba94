import type { ErrorCode, Problem } from '@heliograph/contract/kernel/errors';
import { MAX_PARTS } from '@heliograph/contract/kernel/segments';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemFrom } from '../../../platform/problem.ts';
import { type Draft, hasOwnTexts, hasRecipients } from './draft.ts';
import type { Measured } from './measure.ts';

/** Field to which a refusal of the server belongs. */
const FIELD_OF: Partial<Record<ErrorCode, string>> = {
  audience_empty: 'custom_numbers',
  sender_not_allowed: 'sender_id',
  flash_not_allowed: 'flash',
  content_file_required: 'file_id',
  notify_number_missing: 'notify_number',
  text_too_long: 'content',
  template_required: 'content',
  unknown_placeholder: 'content',
};

/** Returns the first field to which a refusal belongs; undefined if it belongs to none. */
export const fieldOfRefusal = (problem: Problem | undefined): string | undefined =>
  problem && (Object.keys(problem.errors ?? {})[0] ?? FIELD_OF[problem.code]);

/** Texts of a draft as they are measured. */
interface TextsOfDraft {
  measured: Measured;
  /** Fields that any of its texts uses. */
  used: readonly string[];
  measureOf: (text: string) => Measured;
}

const faultOf = ({ segments, compiled }: Measured) =>
  segments.parts.length > MAX_PARTS
    ? 'errors.text_too_long'
    : compiled.unknown.length > 0
      ? 'errors.unknown_placeholder'
      : undefined;

/**
 * Returns the faults of the draft, by field. They appear once a check was tried, and disappear as soon as they are
 * corrected.
 */
export function useFaults(
  draft: Draft,
  { measured, used, measureOf }: TextsOfDraft,
  refusal: Error | null,
  refusedFor: string,
  now: string,
) {
  const { t } = useTranslation();
  const [tried, setTried] = useState(false);
  const own: Record<string, string> = {};
  if (draft.sender_id === null) own['sender_id'] = t('validation.required');
  if (draft.content_type === 'multi' && draft.file === null) own['file_id'] = t('errors.content_file_required');
  else if (!hasRecipients(draft)) own['custom_numbers'] = t('errors.audience_empty');
  else if (draft.file && !draft.columns.includes('number')) own['file_id'] = t('validation.column_number');
  if (!hasOwnTexts(draft)) {
    if (draft.content.trim() === '') own['content'] = t('validation.required');
    else {
      const fault = faultOf(measured);
      if (fault) own['content'] = t(fault);
    }
    for (const [at, { language, text }] of draft.language_texts.entries()) {
      const fault = text.trim() === '' ? 'validation.required' : faultOf(measureOf(text));
      if (fault) own[`language_texts.${at}.text`] = t(fault);
      if (language.trim() === '') own[`language_texts.${at}.language`] = t('validation.required');
    }
  }

  if (!draft.skip_default_param && used.some((field) => draft.defaults[field]))
    for (const field of used.filter((field) => !draft.defaults[field]))
      own[`defaults.${field}`] = t('validation.skip_all_or_fill_all');

  const problem = refusedFor === now ? problemFrom(refusal) : undefined;
  const theirs: Record<string, string> = {};
  for (const [field, sentences] of Object.entries(problem?.errors ?? {})) theirs[field] = sentences[0] ?? '';
  const field = fieldOfRefusal(problem);
  if (problem && field) theirs[field] ??= problem.message;
  const faults = { ...(tried ? own : {}), ...theirs };
  const first = Object.keys(faults)[0];

  useEffect(() => {
    if (first === undefined || !tried) return;
    document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
  }, [first, tried]);

  return { faults, complete: Object.keys(own).length === 0, tried: () => setTried(true) };
}
