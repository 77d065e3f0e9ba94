import { z } from 'zod';
import { personText } from '../kernel/personal.ts';
import type { MESSAGE_CLASSES } from '../kernel/states.ts';

/** Checks that can stop a message, in the order in which they are made. */
export const MESSAGE_CHECKS = [
  'sender',
  'registration',
  'template',
  'blacklist',
  'blocked_text',
  'links',
  'moderation',
  'hours',
  'caps',
  'consent',
  'opt_out',
] as const;

/**
 * Result of one check, and why: a key of the texts `xray.why` and its values. Values with names that end with `_at` are
 * instants (RFC 3339), with `_on` days. `waiting`: the check is made when the message leaves.
 */
export const messageCheck = z.object({
  rule: z.enum(MESSAGE_CHECKS),
  result: z.enum(['passed', 'stopped', 'skipped', 'waiting', 'held']),
  because: z
    .object({ key: z.string(), params: personText(z.record(z.string(), z.union([z.string(), z.int()]))) })
    .nullable(),
});

export type MessageCheck = z.output<typeof messageCheck>;

/** Message whose checks are explained: by the rules and decisions that held at its time. */
export interface CheckedMessage {
  id: number;
  /** Time when it was handed in, RFC 3339. */
  created_at: string;
  corporation_id: number;
  user_id: number | null;
  campaign_id: number | null;
  class: (typeof MESSAGE_CLASSES)[number];
  /** Sender as phones show it. */
  sender_id: string;
  /** MSISDN of the recipient. */
  number: string;
  state: string;
  error_code: string | null;
  /** Time when its first part was handed to a carrier, RFC 3339; null before. */
  left_at: string | null;
  /** Text that was sent; null if the caller may not read it. */
  text: string | null;
}
