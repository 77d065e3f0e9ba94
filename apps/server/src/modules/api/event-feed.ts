import { listEvents, moveEventGroup } from '@heliograph/contract/api/event-feed';
import type { EventType } from '@heliograph/contract/kernel/events';
import type { z } from 'zod';
import { tellings } from '#modules/callbacks';
import { type EventFilter, fixRound, fromNow, fromTime, readEvents } from '#modules/events';
import { BusinessError } from '#platform/errors';
import { groupOf, storedPlace, storePlace } from './event-groups.ts';
import type { KeyHolder } from './keyring.ts';
import { mountPublicOperation, type ProgramContext, type PublicApi } from './mount-public.ts';

type FeedEvent = z.output<(typeof listEvents)['reply']>['data'][number];

/** What a program asks for of the feed. */
export interface Wanted {
  cursor?: string | undefined;
  since?: string | undefined;
  group?: string | undefined;
  share?: string | undefined;
  types?: string | undefined;
}

/** Page of events as a program sees them. */
export interface FeedPage {
  events: FeedEvent[];
  cursor: string;
  cursorAfter(place: number): string;
  more: boolean;
}

/** Returns the cursor from which a program begins to read; undefined for the oldest event. */
export async function beginningOf(
  ctx: ProgramContext,
  holder: KeyHolder,
  { cursor, since, group, share }: Wanted,
): Promise<string | undefined> {
  if (cursor === 'now') return fromNow(ctx.db);
  if (cursor !== undefined) return cursor;
  if (since !== undefined) return fromTime(ctx.db, holder.caller.corporation_id!, since);
  return (group !== undefined && (await storedPlace(ctx, groupOf(holder, group, share)))) || undefined;
}

/** Returns the events after a cursor, with what the key's person may see of them. Throws `cursor_invalid`. */
export async function readFeed(
  { db, caller, is_test }: ProgramContext,
  holder: KeyHolder,
  { types, share }: Wanted,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<FeedPage> {
  const filter: EventFilter = {
    corporation_id: holder.caller.corporation_id!,
    is_test,
    ...(types !== undefined && { types: types.split(',') as EventType[] }),
    ...(share !== undefined && { share }),
  };
  const page = await readEvents(db, { after, limit, filter });
  if (!page) throw new BusinessError('cursor_invalid');
  const told = await tellings(db, page.events);
  const seesContacts = holder.scopes.has('contacts:read') && caller.permissions.has('contacts-index');
  const events = page.events.map(({ id, type, created_at }) => {
    const own = told.get(id)?.data ?? {};
    const data = {
      ...own,
      ...(!caller.content_visible && 'text' in own && { text: null }),
      ...(!seesContacts && 'contact' in own && { contact: null }),
    };
    return { id: String(id), type, timestamp: created_at, data };
  });
  // Each type has its own data, which the reply's schema checks.
  return { ...page, events: events as unknown as FeedEvent[] };
}

/** Mounts the calls that read events page by page, and store the place of a group. */
export function eventFeed(api: PublicApi): void {
  mountPublicOperation(api, listEvents, ({ holder, query: { limit, ...wanted }, read }) =>
    read(async (ctx) => {
      const after = await beginningOf(ctx, holder, wanted);
      const { events, cursor, more } = await readFeed(ctx, holder, wanted, { after, limit });
      return { data: events, next_cursor: cursor, has_more: more };
    }),
  );

  mountPublicOperation(api, moveEventGroup, ({ holder, params, body: { cursor, share }, read }) =>
    read(async (ctx) => {
      // A cursor of another database would only be noticed when the program starts again.
      if ((await fixRound(ctx.db, cursor)) === undefined) throw new BusinessError('cursor_invalid');
      const stored_at = await storePlace(ctx, groupOf(holder, params.group, share), cursor);
      return { group: params.group, share, cursor, stored_at };
    }),
  );
}
