import { z } from 'zod';

/** Schemes of programs that have no domain in their name. Every other one must have (RFC 8252 clause 7.1). */
const KNOWN_APPS = ['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'claude', 'zed'];
const LOOPBACK = /^(127\.0\.0\.1|\[::1\]|localhost)$/;

/** Kind of place that a program is sent back to; undefined if nobody may be sent there. */
export function placeOf(address: string): 'web' | 'computer' | 'app' | undefined {
  if (!/^[\x21-\x7e]+$/.test(address) || !URL.canParse(address)) return undefined;
  const { protocol, hostname, hash, username, password } = new URL(address);
  if (hash !== '' || address.includes('#') || username !== '' || password !== '') return undefined;
  if (protocol === 'https:') return 'web';
  if (protocol === 'http:') return LOOPBACK.test(hostname) ? 'computer' : undefined;
  const scheme = protocol.slice(0, -1);
  return KNOWN_APPS.includes(scheme) || scheme.includes('.') ? 'app' : undefined;
}

/** Name of a program, without signs that would make it look like something else. */
const name = z
  .string()
  .transform((given) =>
    given
      .replace(/[^\p{L}\p{N} .()-]+/gu, ' ')
      .trim()
      .slice(0, 60)
      .trim(),
  )
  .pipe(z.string().min(1))
  .catch('Agent');

const redirects = z
  .array(
    z
      .string()
      .max(500)
      .refine((each) => placeOf(each) !== undefined),
  )
  .min(1)
  .max(10);

/** Statement of a program about itself, in its request (RFC 7591 clause 2) or at its address. */
export const registration = z.object({ client_name: name, redirect_uris: redirects });
export type ClientSaid = z.output<typeof registration>;
