import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AGENT_SCOPES } from '@heliograph/contract/api/agent-connection';
import { z } from 'zod';
import { open, seal } from '#platform/process/seal';

const CONTEXT = 'agents.code';
/** Seconds for which a program may exchange its code. */
const LIFE_SECONDS = 60;
const ONCE_BYTES = 24;

/** Grant of a person to a program. */
const grant = z.object({
  user_id: z.int(),
  name: z.string(),
  client: z.string(),
  redirect: z.string(),
  challenge: z.string(),
  scope: z.enum(AGENT_SCOPES),
  mode: z.enum(['live', 'test']),
  /** Name of the grant. The sealed text can be written in more than one way, this cannot. */
  once: z.string(),
  until: z.number(),
});
export type Grant = z.output<typeof grant>;

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Returns the name of a grant's key: the program's, when the person agreed, and a mark, because a second may have several. */
export function keyName({ name, until, once }: Grant): string {
  const agreed = new Date(until - LIFE_SECONDS * 1_000).toISOString().slice(0, 19).replace('T', ' ');
  return `${name} · ${agreed} · ${digestOf(once).slice(0, 4)}`;
}

/** Returns the code of a grant. It is stored nowhere. */
export const codeOf = (key: Buffer, { client, ...given }: Omit<Grant, 'until' | 'once'>, now: Date): string => {
  const once = randomBytes(ONCE_BYTES).toString('base64url');
  const until = now.getTime() + LIFE_SECONDS * 1_000;
  return seal(key, JSON.stringify({ ...given, client: digestOf(client), once, until }), CONTEXT);
};

/** Reads the grant of a code, if the program shows that the code is its own; undefined otherwise (RFC 7636 clause 4.6). */
export function readCode(
  key: Buffer,
  code: string,
  { client, redirect, verifier, now }: { client: string; redirect: string; verifier: string; now: Date },
): Grant | undefined {
  try {
    const read = grant.parse(JSON.parse(open(key, code, CONTEXT)));
    const shown = Buffer.from(digestOf(verifier));
    const wanted = Buffer.from(read.challenge);
    const isOwn = shown.length === wanted.length && timingSafeEqual(shown, wanted);
    const isGood =
      isOwn && read.client === digestOf(client) && read.redirect === redirect && read.until > now.getTime();
    return isGood ? read : undefined;
  } catch {
    return undefined;
  }
}
