import i18next from 'i18next';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** The sentence for one issue of a schema, in the user's language. */
export function sentenceOfIssue(issue: Issue): string {
  const t = i18next.t.bind(i18next);
  const digits = /^money_format_(\d+)$/.exec(issue.message)?.[1];
  if (digits !== undefined) return t('validation.money_format', { count: Number(digits) });
  if (i18next.exists(`validation.${issue.message}`)) return t(`validation.${issue.message}`);
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null || issue.input === '') return t('validation.required');
      return t(issue.expected === 'int' || issue.expected === 'number' ? 'validation.integer' : 'validation.invalid');
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1
          ? t('validation.required')
          : t('validation.too_short', { count: Number(issue.minimum) });
      return t(issue.origin === 'array' ? 'validation.too_few' : 'validation.too_small', {
        count: Number(issue.minimum),
      });
    case 'too_big':
      if (issue.origin === 'string') return t('validation.too_long', { count: Number(issue.maximum) });
      return t(issue.origin === 'array' ? 'validation.too_many' : 'validation.too_big', {
        count: Number(issue.maximum),
      });
    case 'invalid_value':
      return t('validation.choice');
    default:
      return t('validation.invalid');
  }
}

/** What is wrong with values, as one sentence by field (`a.b.0` for nested ones). */
export function faultsOf(schema: z.ZodType, values: unknown): Record<string, string> {
  const result = schema.safeParse(values, { reportInput: true });
  const faults: Record<string, string> = {};
  for (const issue of result.error?.issues ?? []) faults[issue.path.join('.')] ??= sentenceOfIssue(issue);
  return faults;
}
