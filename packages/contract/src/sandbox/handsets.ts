import { z } from 'zod';
import { id, instant, reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { idParams } from '../kernel/resource.ts';
import { MESSAGE_STATES } from '../kernel/states.ts';

/** Maximum seconds that the time of the sandbox moves with one call: as far ahead as a message can be scheduled. */
export const MOST_SECONDS = 7 * 86_400;
/** Maximum characters of a text that a handset sends. */
export const LONGEST_REPLY = 1_000;
/** Maximum handsets, and texts of a handset, that are shown. */
export const MOST_SHOWN = 100;

const handset = z.object({
  /** Id of the first message that it keeps: a number may be hidden from the caller. */
  id,
  number: personNumber(z.string()),
  corporation_id: reference('corporations'),
  corporation_name: z.string(),
  messages: z.int(),
  last_at: instant,
});

/** Lists the virtual handsets that the caller may see, the last one that received a message first. */
export const listVirtualHandsets = operation({
  method: 'GET',
  path: '/api/v1/virtual-handsets',
  permission: 'api-keys-create',
  support: 'refused',
  reply: z.object({
    data: z.array(handset),
    /** True if messages of test keys go to a link of the operator, and not to handsets. */
    elsewhere: z.boolean(),
  }),
});

/** Returns what a handset received and sent, the newest first. */
export const showVirtualHandset = operation({
  method: 'GET',
  path: '/api/v1/virtual-handsets/:id/messages',
  permission: 'api-keys-create',
  support: 'refused',
  params: idParams,
  reply: z.object({
    data: z.array(
      z.object({
        id,
        /** As the phone sees it. */
        direction: z.enum(['received', 'sent']),
        /** Sender ID or number on the other side. */
        with: z.string(),
        /** Null if the caller may not see texts. */
        text: personText(z.string().nullable()),
        /** Parts that have arrived. */
        parts: z.int(),
        /** Null for a text of the handset. */
        state: z.enum(MESSAGE_STATES).nullable(),
        at: instant,
      }),
    ),
  }),
  errors: ['not_found'],
});

/** Answers the last message of a handset, as a message from a phone for programs. */
export const replyFromVirtualHandset = operation({
  method: 'POST',
  path: '/api/v1/virtual-handsets/:id/replies',
  permission: 'api-keys-create',
  params: idParams,
  body: z.object({ text: personText(z.string().trim().min(1, { error: 'required' }).max(LONGEST_REPLY)) }),
  reply: z.object({ data: z.object({ id }) }),
  errors: ['not_found', 'sandbox_full'],
});

/** Brings everything that waits of a corporation's test messages nearer by so many seconds. */
export const passVirtualTime = operation({
  method: 'POST',
  path: '/api/v1/virtual-handsets/time',
  permission: 'api-keys-create',
  body: z.object({
    corporation_id: reference('corporations').describe('Corporation whose tests wait.'),
    seconds: z.int().min(1).max(MOST_SECONDS),
  }),
  reply: z.object({ data: z.object({ receipts: z.int(), messages: z.int(), verifications: z.int() }) }),
  errors: ['not_found'],
});
