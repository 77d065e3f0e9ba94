import type { z } from 'zod';

/** A validation sentence: its key under `validation.` and the values it shows. */
export interface IssueText {
  key: string;
  params: Record<string, string | number>;
}

/**
 * The sentence for one issue of a schema, the same in the browser and on the server. A schema names its own sentence
 * by giving the key as its error (`error: 'currency'`); keys with a number at the end (`money_format_10`) carry it.
 */
export function issueText(issue: z.core.$ZodIssue): IssueText {
  const own = /^([a-z]+(?:_[a-z]+)*?)(?:_(\d+))?$/.exec(issue.message);
  if (own) return { key: own[1]!, params: own[2] ? { count: Number(own[2]) } : {} };
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null || Number.isNaN(issue.input)) return plain('required');
      return plain(issue.expected === 'int' || issue.expected === 'number' ? 'integer' : 'invalid');
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return plain('required');
      return {
        key: issue.origin === 'string' ? 'too_short' : issue.origin === 'array' ? 'too_few' : 'too_small',
        params: { count: Number(issue.minimum) },
      };
    case 'too_big':
      return {
        key: issue.origin === 'string' ? 'too_long' : issue.origin === 'array' ? 'too_many' : 'too_big',
        params: { count: Number(issue.maximum) },
      };
    case 'invalid_value':
      return plain(issue.input === undefined || issue.input === '' ? 'required' : 'choice');
    case 'unrecognized_keys':
      return plain('unknown_field');
    default:
      return plain('invalid');
  }
}

const plain = (key: string): IssueText => ({ key, params: {} });

/** The field an issue belongs to, as `a.b.0`; an unknown key counts as the field it would be. */
export function issueField(issue: z.core.$ZodIssue): string {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  return path.map(String).join('.') || 'body';
}
