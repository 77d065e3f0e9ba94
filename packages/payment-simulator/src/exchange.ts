import type { IncomingMessage } from 'node:http';

/** A request to a simulated provider. */
export interface Asked {
  method: string;
  /** Path without the provider's own part. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
  /** API key of the basic or bearer authentication. */
  key: string;
  /** Address of this simulator. */
  origin: string;
}

export interface Answer {
  status: number;
  body: unknown;
}

export const ok = (body: unknown, status = 200): Answer => ({ status, body });

/** Returns the API key of a request; empty without one. */
export function keyOf(headers: IncomingMessage['headers']): string {
  const [kind, value = ''] = (headers.authorization ?? '').split(' ');
  if (kind === 'Bearer') return value;
  return kind === 'Basic' ? Buffer.from(value, 'base64').toString('utf8').split(':', 1)[0]! : '';
}

/** Parses a JSON body; an empty object if it is none. */
export function jsonOf(body: string): Record<string, never> {
  try {
    return JSON.parse(body) as Record<string, never>;
  } catch {
    return {};
  }
}
