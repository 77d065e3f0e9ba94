import { createHmac, timingSafeEqual } from 'node:crypto';

/** Greatest age of a signed notice in s, as Stripe and PayMongo advise. */
const TOLERANCE_S = 300;

/** Returns the fields of a signature header such as `t=1,v1=ab,v1=cd`. */
export function fieldsOf(header: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const part of header.split(',')) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const name = part.slice(0, at).trim();
    fields.set(name, [...(fields.get(name) ?? []), part.slice(at + 1).trim()]);
  }
  return fields;
}

/**
 * Checks a signature over `<time>.<body>` with HMAC-SHA256 in hexadecimal digits. One of `given` must be right, and the
 * time at most five minutes from now.
 */
export function checkSignature(options: {
  time: string | undefined;
  given: readonly string[];
  body: string;
  secret: string;
  now: Date;
}): 'signature' | 'late' | undefined {
  const { time, given, body, secret, now } = options;
  if (time === undefined || !/^\d{1,12}$/.test(time)) return 'signature';
  const right = Buffer.from(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'));
  const isRight = given.some((each) => {
    const bytes = Buffer.from(each);
    return bytes.length === right.length && timingSafeEqual(bytes, right);
  });
  if (!isRight) return 'signature';
  return Math.abs(now.getTime() / 1_000 - Number(time)) > TOLERANCE_S ? 'late' : undefined;
}

/** Returns a header as one text. */
export const headerOf = (headers: Readonly<Record<string, string | string[] | undefined>>, name: string): string =>
  [headers[name] ?? ''].flat().join(',');

/** Parses JSON; undefined if it is none, or no object. */
export function parseObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a value if it is a text that is stored; null otherwise. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= 200 && !value.includes('\0') ? value : null;
