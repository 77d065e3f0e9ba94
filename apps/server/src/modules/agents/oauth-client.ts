import { z } from 'zod';
import { BusinessError } from '#platform/errors';
import { open, seal } from '#platform/process/seal';

const CONTEXT = 'agents.client';
/** Addresses of browsers that run or show what stands in them. */
const NEVER = /^(javascript|data|vbscript|file|about|blob|filesystem|view-source|ws|wss|ftp):/i;
const LOOPBACK = /^(127\.0\.0\.1|\[::1\]|localhost)$/;

/** Tells if a program may be sent back to an address: https, its own computer, or a scheme of its own (RFC 8252 clause 7). */
export function isRedirect(address: string): boolean {
  if (!URL.canParse(address) || NEVER.test(address)) return false;
  const { protocol, hostname, hash, username } = new URL(address);
  if (hash !== '' || username !== '') return false;
  return protocol === 'http:' ? LOOPBACK.test(hostname) : true;
}

/** Program that has registered itself. It is stored nowhere: its id is what it said, sealed. */
const client = z.object({
  name: z.string().min(1).max(60),
  redirects: z.array(z.string().max(500).refine(isRedirect)).min(1).max(5),
});
export type AgentClient = z.output<typeof client>;

/** Request of a program that registers itself (RFC 7591 clause 2). */
export const registration = z.object({
  client_name: z
    .string()
    .transform((name) =>
      name
        .replace(/[^\p{L}\p{N} .()-]+/gu, ' ')
        .trim()
        .slice(0, 60),
    )
    .pipe(z.string().min(1))
    .catch('Agent'),
  redirect_uris: client.shape.redirects,
});

/** Returns the id of a program. */
export const clientId = (key: Buffer, { client_name, redirect_uris }: z.output<typeof registration>): string =>
  seal(key, JSON.stringify({ name: client_name, redirects: redirect_uris }), CONTEXT);

const portless = (address: string) => {
  const url = new URL(address);
  if (url.protocol === 'http:') url.port = '';
  return url.href;
};

/**
 * Reads the program of an id that may be sent back to an address; on its own computer the port may be another one (RFC 8252
 * clause 7.3). Throws `agent_client_unknown`.
 */
export function readClient(key: Buffer, id: string, redirect: string): AgentClient {
  try {
    const read = client.parse(JSON.parse(open(key, id, CONTEXT)));
    const known = read.redirects.map(portless);
    if (isRedirect(redirect) && known.includes(portless(redirect))) return read;
  } catch {
    // Not ours.
  }
  throw new BusinessError('agent_client_unknown');
}
