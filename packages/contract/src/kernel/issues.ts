import type { z } from 'zod';

/** A validation sentence: its key under `validation.` and the values it shows. */
export interface IssueText {
  key: string;
  params: Record<string, string | number>;
}

/** Returns whether the input is missing; only then a field is called required. */
const isMissing = (input: unknown): boolean =>
  input === undefined || input === null || (typeof input === 'string' && input.trim() === '');

const TYPES: Readonly<Record<string, string>> = {
  int: 'integer',
  number: 'not_numeric',
  string: 'not_text',
  boolean: 'not_boolean',
  array: 'not_list',
  object: 'not_object',
  record: 'not_object',
};
const FORMATS: Readonly<Record<string, string>> = { date: 'date', datetime: 'instant', email: 'email', url: 'url' };
/** Maximum characters of the choices shown; a longer list would not help. */
const CHOICES_SHOWN = 120;

/**
 * Returns the sentence for one issue of a schema, the same in the browser and on the server. The sentence depends on
 * the input, so the schema must report it. A schema can name its own sentence: the key is its error (`error:
 * 'currency'`). A number at the end of the key (`money_format_10`) becomes the sentence's count.
 */
export function issueText(issue: z.core.$ZodIssue): IssueText {
  if (issue.code !== 'custom' && issue.code !== 'too_big' && issue.code !== 'unrecognized_keys') {
    const own = issue.code === 'too_small' && issue.origin !== 'string';
    if (!own && isMissing(issue.input)) return plain('required');
  }
  const own = /^([a-z]+(?:_[a-z]+)*?)(?:_(\d+))?$/.exec(issue.message);
  if (own) return { key: own[1]!, params: own[2] ? { count: Number(own[2]) } : {} };
  switch (issue.code) {
    case 'invalid_type':
      // A text in a query that is no number, or no whole number.
      if (Number.isNaN(issue.input)) return plain('not_numeric');
      return plain(TYPES[issue.expected] ?? 'invalid');
    case 'too_small': {
      const least = Number(issue.minimum) + (issue.inclusive === false ? 1 : 0);
      const kind = issue.origin === 'string' ? 'too_short' : issue.origin === 'array' ? 'too_few' : 'too_small';
      return { key: kind, params: { count: least } };
    }
    case 'too_big': {
      const kind = issue.origin === 'string' ? 'too_long' : issue.origin === 'array' ? 'too_many' : 'too_big';
      return { key: kind, params: { count: Number(issue.maximum) } };
    }
    case 'invalid_value': {
      const choices = issue.values.map(String).join(', ');
      return choices.length > CHOICES_SHOWN ? plain('choice') : { key: 'choice_of', params: { choices } };
    }
    case 'invalid_format':
      return plain(FORMATS[issue.format] ?? 'invalid');
    case 'invalid_union':
      return unionText(issue);
    case 'unrecognized_keys':
      return plain('unknown_field');
    default:
      return plain('invalid');
  }
}

/** Returns the sentence of the branch that fits the type of the value. */
function unionText(issue: z.core.$ZodIssueInvalidUnion): IssueText {
  const own = issue.errors.flatMap(([first]) => (first && first.path.length === 0 ? [first] : []));
  const meant = own.find(({ code }) => code !== 'invalid_type') ?? own[0];
  return meant ? issueText({ ...meant, input: meant.input ?? issue.input } as z.core.$ZodIssue) : plain('invalid');
}

const plain = (key: string): IssueText => ({ key, params: {} });

/** A key that can be a field's name. Any other key may be a secret in the wrong place and is never repeated. */
const NAME = /^\w[\w-]{0,63}$/;

/** Returns the field of an issue, as `a.b.0`; an unknown key counts as a field. */
export function issueField(issue: z.core.$ZodIssue): string {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1).filter((key) => NAME.test(key)) : [];
  const path = [...issue.path, ...unknown];
  return path.map(String).join('.') || 'body';
}
