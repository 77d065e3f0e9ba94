import { createHash, randomBytes } from 'node:crypto';
import { type AgentMessage, QUOTE_MINUTES } from '@heliograph/contract/api/agents';
import { z } from 'zod';
import { open, seal } from '#platform/process/seal';

/** Promise of a quote: the price of one message, to one key, until a time. */
const quoted = z.object({
  key: z.int(),
  /** Digest of the message. */
  message: z.string(),
  price: z.string(),
  messages: z.int(),
  parts: z.int(),
  /** Name of the sending, so that one confirmation sends once. */
  once: z.string(),
  until: z.number(),
});
export type Quoted = z.output<typeof quoted>;

const CONTEXT = 'agents.confirmation';

/** Digest of a message: another recipient, text, sender or time is another message. */
export const digestOf = ({ from, to, text, class: kind, send_at }: AgentMessage): string =>
  createHash('sha256')
    .update(JSON.stringify([from, to, text, kind, send_at ?? null]))
    .digest('base64url');

/** Returns a confirmation with which the key may send the message, and when it ends. */
export function confirm(
  installationKey: Buffer,
  { key, message, price, messages, parts }: Omit<Quoted, 'once' | 'until' | 'message'> & { message: AgentMessage },
  now: Date,
): { confirmation: string; until: Date } {
  const until = new Date(now.getTime() + QUOTE_MINUTES * 60_000);
  const promise: Quoted = {
    key,
    message: digestOf(message),
    price,
    messages,
    parts,
    once: randomBytes(12).toString('base64url'),
    until: until.getTime(),
  };
  return { confirmation: seal(installationKey, JSON.stringify(promise), CONTEXT), until };
}

/** Reads a confirmation; undefined if it is none of this installation, of another key or message, or too old. */
export function readConfirmation(
  installationKey: Buffer,
  confirmation: string,
  { key, message, now }: { key: number; message: AgentMessage; now: Date },
): Quoted | undefined {
  try {
    const promise = quoted.parse(JSON.parse(open(installationKey, confirmation, CONTEXT)));
    const isGood = promise.key === key && promise.message === digestOf(message) && promise.until > now.getTime();
    return isGood ? promise : undefined;
  } catch {
    return undefined;
  }
}
