import { z } from 'zod';
import { EVENT_TYPES } from '../kernel/events.ts';
import { instant } from '../kernel/fields.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { apiEvent } from './event.ts';

/** Most programs among which the events of a corporation are shared. */
export const MOST_SHARES = 64;

const TYPE = EVENT_TYPES.join('|').replaceAll('.', '\\.');
const SHARE = /^([1-9]\d?)\/([1-9]\d?)$/;

/** Returns the parts of a share, `2/4` for the second of four; undefined if it is none. */
export function readShare(share: string): { place: number; of: number } | undefined {
  const [, place, of] = (SHARE.exec(share) ?? []).map(Number);
  return place !== undefined && of !== undefined && place <= of && of <= MOST_SHARES ? { place, of } : undefined;
}

const cursor = z.string().max(30_000);
const share = z
  .string()
  .max(5)
  .regex(SHARE, { error: 'share' })
  .refine((value) => readShare(value) !== undefined, { error: 'share' });
const group = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/, { error: 'group_name' });

const wanted = {
  types: z
    .string()
    .max(300)
    .regex(new RegExp(`^(${TYPE})(,(${TYPE}))*$`), { error: 'choice' })
    .optional()
    .describe('Types, separated by commas. Without it: all.'),
  since: instant
    .optional()
    .describe('Begin with the events of this time, up to 7 days ago. `cursor`, if given, decides instead.'),
  share: share
    .optional()
    .describe(
      `One part of the events, for up to ${MOST_SHARES} programs that work side by side: \`2/4\` is the second of four. All events of one message are in the same part.`,
    ),
  group: group
    .optional()
    .describe(
      'Begin after the place that the platform stores for this group, if it stores one. `cursor` and `since` decide instead, if given.',
    ),
};

export const listEvents = publicOperation({
  name: 'listEvents',
  method: 'GET',
  path: '/v1/events',
  scope: 'events:read',
  tag: 'Events',
  summary: 'Read events, instead of callbacks',
  description:
    'Each event comes once, in a fixed order without gaps. Store the last `next_cursor` and continue from it later. Events are kept for 7 days. `data` is the same as in the callback of this type. A test key reads the events of messages from test keys, and of inbound messages that arrived over links for tests.',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
    cursor: cursor
      .optional()
      .describe('`next_cursor` of the previous page. `now`: only new events. Without it: from the oldest.'),
    ...wanted,
  }),
  reply: z.object({
    data: z.array(apiEvent),
    next_cursor: z.string(),
    has_more: z.boolean(),
  }),
  errors: ['cursor_invalid'],
});

export const streamEvents = publicOperation({
  name: 'streamEvents',
  method: 'GET',
  path: '/v1/events/stream',
  scope: 'events:read',
  tag: 'Events',
  summary: 'Receive events as they happen, as server-sent events',
  description:
    'The answer does not end. Each event has its type as `event`, and the same JSON as in the list as `data`. Its `id` is a cursor: a client that connects again with it in the header `Last-Event-ID` misses nothing. Each event comes once on a connection. A line `: ` every 15 seconds shows that the connection is alive. A connection with a `group` waits while another one of the same group and share is open, and takes over when that ends. A test key gets the events of its tests.',
  query: z.object({
    cursor: cursor
      .optional()
      .describe('`id` of the last event that you have. `now`: only new events. Without it: from the oldest.'),
    ...wanted,
  }),
  reply: z.string(),
  media: 'text/event-stream',
  errors: ['cursor_invalid'],
});

export const moveEventGroup = publicOperation({
  name: 'moveEventGroup',
  method: 'POST',
  path: '/v1/events/groups/:group',
  scope: 'events:read',
  tag: 'Events',
  summary: 'Store how far a group of programs has processed the events',
  description:
    'Reading with this `group` then begins after it. Store a place after you have processed its events: what was not stored comes again. The place of a group that is not stored or read for 7 days is deleted.',
  params: z.object({ group: group.describe('Name of the group. The first call makes it.') }),
  body: z.object({
    cursor: cursor.min(1).describe('`next_cursor` of a page, or `id` of an event of the stream.'),
    share: share.default('1/1').describe('Part of the events that the program reads.'),
  }),
  reply: z.object({ group: z.string(), share: z.string(), cursor: z.string(), stored_at: instant }),
  errors: ['cursor_invalid'],
  example: { cursor: 'eyJzZWVuIjoiODEyOjgxMjoifQ' },
});
