import { titleOf, typeOf } from '@heliograph/contract/kernel/error-names';
import { type EditConflict, ERRORS, type ErrorCode, type Problem } from '@heliograph/contract/kernel/errors';
import { issueField, issueText } from '@heliograph/contract/kernel/issues';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { OUTAGES, type Outage, UNKNOWN_OUTAGE_S } from '@heliograph/contract/kernel/outages';
import type { Locale } from '@heliograph/contract/kernel/scope';
import type { z } from 'zod';
import { translate } from './text/i18n.ts';

/** Sentences by field: keys under `validation.` with the values they show. */
export type FieldFaults = Record<string, { key: string; params?: Record<string, string | number> }[]>;

/** Limit by its name in RateLimit headers: `limit` uses within `seconds` seconds. */
export interface Allowance {
  name: string;
  limit: number;
  seconds: number;
}

/** Action that the business rules refuse. The code decides the status and the sentence. */
export class BusinessError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldFaults | undefined;
  readonly params: Record<string, string | number>;
  /** Seconds to wait, for 429 and `unavailable`. */
  readonly retryAfter: number | undefined;
  /** Limit that was met, for 429. */
  readonly allowance: Allowance | undefined;
  /** Cause of `unavailable`, if it is known. */
  readonly outage: Outage | undefined;
  /** Both sides of a stale save: the fields of the save and the present ones. */
  readonly conflict: EditConflict | undefined;

  constructor(
    code: ErrorCode,
    options: {
      fields?: FieldFaults;
      params?: Record<string, string | number>;
      retryAfter?: number;
      allowance?: Allowance;
      outage?: Outage | undefined;
      conflict?: EditConflict;
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
    this.params = options.params ?? {};
    this.outage = options.outage;
    const wait = this.outage ? OUTAGES[this.outage] : code === 'unavailable' ? UNKNOWN_OUTAGE_S : undefined;
    this.retryAfter = options.retryAfter ?? wait;
    this.allowance = options.allowance;
    this.conflict = options.conflict;
  }
}

const KILOBYTE = 1024;
const megabytes = (bytes: number) =>
  bytes < KILOBYTE ** 2 ? `${Math.floor(bytes / KILOBYTE)} KB` : `${Math.floor(bytes / KILOBYTE ** 2)} MB`;

/** Makes a 413 that tells the maximum number of bytes. */
export const tooLarge = (limit: number, cause?: unknown): BusinessError =>
  new BusinessError('payload_too_large', { params: { limit: megabytes(limit) }, cause });

/** Makes a 413 that tells the maximum number of values, or of elements of one list or object. */
export const tooMany = (of: 'values' | 'elements', limit: number): BusinessError =>
  new BusinessError('payload_too_large', { params: { of, limit: limit.toLocaleString('en') } });

/** A 422 on one field: `key` names the sentence under `validation.`. */
export function fieldError(field: string, key: string, params: Record<string, string | number> = {}): BusinessError {
  return new BusinessError('validation_failed', { fields: { [field]: [{ key, params }] } });
}

/** Makes the 422 of a schema's refusal; fields that are `fixed` exist, and cannot be changed. */
export function schemaError(issues: readonly z.core.$ZodIssue[], fixed: readonly string[] = []): BusinessError {
  const single = issues.flatMap((issue): z.core.$ZodIssue[] =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ ...issue, keys: [key] })) : [issue],
  );
  // A field may have any name, even `constructor`.
  const fields = Map.groupBy(single, issueField);
  const told = [...fields].map(([field, each]) => {
    const texts = each.map((issue) =>
      issue.code === 'unrecognized_keys' && fixed.includes(field)
        ? { key: 'unchangeable', params: {} }
        : issueText(issue),
    );
    return [field, texts] as const;
  });
  return new BusinessError('validation_failed', { fields: Object.fromEntries(told) });
}

interface PostgresError {
  code?: string;
  constraint?: string;
}

/** The business error behind a violated constraint, by the constraint's name; undefined for every other error. */
export function constraintError(
  error: unknown,
  conflicts: Readonly<Record<string, ErrorCode>>,
): BusinessError | undefined {
  const { code, constraint } = error as PostgresError;
  if (code === '23505' && constraint && conflicts[constraint])
    return new BusinessError(conflicts[constraint], { cause: error });
  if (code === '23503') return new BusinessError('has_dependencies', { cause: error });
  // Row level security, or a grant, does not let the caller write this.
  if (code === '42501') return new BusinessError('forbidden', { cause: error });
  return undefined;
}

/**
 * Errors whose sentence mentions screens; programs get the sentence `for_programs.<code>`, which names the change in
 * their call.
 */
const OTHER_FOR_PROGRAMS: ReadonlySet<ErrorCode> = new Set([
  'malformed_request',
  'not_found',
  'unauthenticated',
  'unsupported_media_type',
] as const);

/** Errors after which the session is over; its person is told why. */
const SIGNED_OUT: ReadonlySet<ErrorCode> = new Set([
  'session_ended',
  'session_address',
  'session_idle',
  'session_over',
]);

/** The error body of RFC 9457 in the caller's language. */
export function problem(
  error: BusinessError,
  requestId: string,
  locale: Locale,
  { forPrograms = false }: { forPrograms?: boolean } = {},
): Problem {
  const { status } = ERRORS[error.code];
  // If a proxy refused the body, the limit is not known.
  const limited = error.code === 'payload_too_large' && error.params['limit'] !== undefined;
  const limit = error.params['of'] ? keyIn('validation', `too_many_${error.params['of']}`) : 'validation.too_large';
  const [key, params] =
    error.code === 'unavailable'
      ? [keyIn('outages', error.outage ?? 'unknown'), { seconds: error.retryAfter! }]
      : [
          keyIn(forPrograms && OTHER_FOR_PROGRAMS.has(error.code) ? 'for_programs' : 'errors', error.code),
          error.params,
        ];
  const message = translate(locale, limited ? limit : key, params);
  return {
    type: typeOf(error.code),
    title: titleOf(error.code),
    status,
    code: error.code,
    ...(error.outage && { reason: error.outage }),
    request_id: requestId,
    message,
    ...(error.fields && {
      errors: Object.fromEntries(
        Object.entries(error.fields).map(([field, faults]) => [
          field,
          faults.map((fault) => translate(locale, keyIn('validation', fault.key), fault.params ?? {})),
        ]),
      ),
    }),
    ...(error.conflict && { conflict: error.conflict }),
    ...(SIGNED_OUT.has(error.code) && { logout: true }),
  };
}
