import type { z } from 'zod';

/** A validation sentence: its key under `validation.` and the values it shows. */
export interface IssueText {
  key: string;
  params: Record<string, string | number>;
}

/** Whether nothing was given, as far as the issue tells: then, and only then, a field is called required. */
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
/** A longer list of choices helps nobody. */
const CHOICES_SHOWN = 120;

/**
 * The sentence for one issue of a schema, the same in the browser and on the server. The schema must have been asked to
 * report its input, which the sentence depends on. A schema names its own sentence by giving the key as its error
 * (`error: 'currency'`); keys with a number at the end (`money_format_10`) carry it.
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
      // A text of a query that is no number, or no whole one.
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

/** The sentence of the branch that the value was meant for: the one that finds no fault with its type. */
function unionText(issue: z.core.$ZodIssueInvalidUnion): IssueText {
  const own = issue.errors.flatMap(([first]) => (first && first.path.length === 0 ? [first] : []));
  const meant = own.find(({ code }) => code !== 'invalid_type') ?? own[0];
  return meant ? issueText({ ...meant, input: meant.input ?? issue.input } as z.core.$ZodIssue) : plain('invalid');
}

const plain = (key: string): IssueText => ({ key, params: {} });

/** A key that may be a field's name. Anything else may be a secret in the wrong place, and is never repeated. */
const NAME = /^\w[\w-]{0,63}$/;

/** The field an issue belongs to, as `a.b.0`; an unknown key counts as the field it would be. */
export function issueField(issue: z.core.$ZodIssue): string {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1).filter((key) => NAME.test(key)) : [];
  const path = [...issue.path, ...unknown];
  return path.map(String).join('.') || 'body';
}
