import { issueText } from '@heliograph/contract/kernel/issues';
import i18next from 'i18next';
import type { z } from 'zod';

/** Returns the sentence for one issue of a schema, in the user's language. */
function sentenceOfIssue(issue: z.core.$ZodIssue): string {
  const { key, params } = issueText(issue);
  return i18next.t([`validation.${key}`, 'validation.invalid'], params);
}

/** Returns the faults of values, one sentence per field (`a.b.0` for nested ones). */
export function faultsOf(schema: z.ZodType, values: unknown): Record<string, string> {
  const result = schema.safeParse(values, { reportInput: true });
  const faults: Record<string, string> = {};
  for (const issue of result.error?.issues ?? []) faults[issue.path.join('.')] ??= sentenceOfIssue(issue);
  return faults;
}
