import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { doneReply } from '../kernel/resource.ts';

/**
 * Kinds of notices on a device. `approval`: a campaign waits for the person's approval. `finished`: their own campaign
 * was decided or has finished. `reply`: messages arrived in the inbox. `link`: a carrier link is down, or works again.
 */
export const PUSH_KINDS = ['approval', 'finished', 'reply', 'link'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

const kinds = z.array(z.enum(PUSH_KINDS)).max(PUSH_KINDS.length);
/** Value in base64url of so many bytes. */
const bytes = (count: number) =>
  z.string().regex(new RegExp(`^[\\w-]{${Math.ceil((count * 8) / 6)}}={0,2}$`), { error: 'invalid' });

/** Returns the key that a browser subscribes with, and the kinds of notices on the device of this session. */
export const pushDevice = operation({
  method: 'GET',
  path: '/api/v1/push-device',
  permission: null,
  reply: z.object({
    /** Public key of this installation in base64url; null until the worker has made it. */
    public_key: z.string().nullable(),
    /** Null if the device gets no notices. */
    kinds: kinds.nullable(),
  }),
});

/** Sends notices of these kinds to the device of this session until it signs out. */
export const keepPushDevice = operation({
  method: 'PUT',
  path: '/api/v1/push-device',
  permission: null,
  body: z.object({
    /** Address of the browser's push service. */
    endpoint: z.url({ protocol: /^https$/, error: 'url' }).max(1_000),
    keys: z.object({ p256dh: bytes(65), auth: bytes(16) }),
    kinds: kinds.min(1),
  }),
  reply: doneReply,
});

/** Ends the notices on the device of this session. */
export const endPushDevice = operation({
  method: 'DELETE',
  path: '/api/v1/push-device',
  permission: null,
  reply: doneReply,
});
