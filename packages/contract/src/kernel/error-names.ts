import type { ErrorCode } from './errors.ts';

// Apart from the table of errors, which the console does not load.

/** Returns the name of an error for developers, in English and always the same: `Insufficient credit`. */
export function titleOf(code: ErrorCode): string {
  const words = code.replaceAll('_', ' ').replace(/\b(api|csrf|otp|totp)\b/g, (word) => word.toUpperCase());
  return words[0]!.toUpperCase() + words.slice(1);
}

/** Returns the path of the page about an error, its `type`. By RFC 9457 it is relative to the address of the call. */
export const typeOf = (code: ErrorCode): string => `/problems/${code}`;
