import { reserveAll, type Transfer } from '#modules/billing';
import { insertChunks, messageId, type NewMessage, planRouted, type RoutedGroup, withPorted } from '#modules/delivery';
import type { HeldItem } from '#modules/moderation';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { pricesOf } from './credit.ts';
import type { Judged } from './judge.ts';
import type { Accepted } from './program.ts';
import { factsKey } from './read-facts.ts';
import type { Entry } from './write-units.ts';

/** Accepted messages with their ids and chunks. Nothing of it is written yet. */
export interface Planned {
  accepted: ReadonlyMap<Entry, Accepted>;
  /** Chunks that wait for a decision. */
  held: readonly HeldItem[];
  /** Sends the statement that writes the messages. */
  insert(db: Queryable): Promise<void>;
  /** Sends the statement that reserves their cost. */
  reserve(db: Queryable): Promise<void>;
}

const DRAW = 'SELECT next_chunk_id() AS id FROM generate_series(1, $1::integer)';

/** Draws ids for chunks of this transaction. Those that are not used leave a gap, which means nothing. */
export async function drawChunkIds(db: Queryable, count: number): Promise<number[]> {
  return count === 0 ? [] : (await rowsOf<{ id: number }>(db, DRAW, [count])).map(({ id }) => id);
}

/** Groups the messages that share everything but routes and numbers, and so may share a chunk. */
export const groupEntries = (entries: readonly Entry[]): Entry[][] => [...Map.groupBy(entries, groupKey).values()];

/** Plans the chunks of groups, with the drawn ids as far as they go, and a reservation for each chunk. */
export async function planChunks(
  db: Queryable,
  groups: readonly (readonly Entry[])[],
  drawn: readonly number[],
): Promise<Planned> {
  const routed = await planRouted(db, await withPortedGroups(db, groups.map(routedGroup)));
  // A group has several chunks if it is large, or goes by several routes.
  const ids = [...drawn, ...(await drawChunkIds(db, Math.max(0, routed.length - drawn.length)))];
  const chunks = routed.map((chunk, place) => ({ ...chunk, id: ids[place]! }));
  const accepted = new Map<Entry, Accepted>();
  const transfers: Transfer[] = [];
  const held: HeldItem[] = [];
  for (const { id, nth, places } of chunks) {
    const members = places.map((place) => groups[nth]![place]!);
    for (const [at, entry] of members.entries()) {
      const { msisdn, parts, unit_price, facts, expires_at, not_before } = entry.judged;
      const price = parts * unit_price;
      accepted.set(entry, {
        id: messageId(id, at),
        msisdn,
        parts,
        price,
        currency: facts.currency,
        expires_at,
        not_before,
      });
    }
    held.push(...itemOf(members, id));
    if (!members[0]!.program.is_test) transfers.push(...reservationsOf(members, id));
  }
  return {
    accepted,
    held,
    insert: (to) => insertChunks(to, chunks),
    reserve: (to) => reserveAll(to, transfers),
  };
}

/** Returns groups with the networks that lookups say, read in one statement for all of them. */
async function withPortedGroups(db: Queryable, groups: readonly RoutedGroup[]): Promise<readonly RoutedGroup[]> {
  const asked = groups.filter(({ routing }) => routing.ported_by !== null);
  if (asked.length === 0) return groups;
  const all = await withPorted(
    db,
    asked[0]!.routing,
    asked.flatMap(({ messages }) => messages),
  );
  let place = 0;
  return groups.map((group) => {
    if (group.routing.ported_by === null) return group;
    const messages = all.slice(place, place + group.messages.length);
    place += group.messages.length;
    return { ...group, messages };
  });
}

/**
 * Identifies the messages that share a chunk. A message that can be called off has its own chunk, or shares it only
 * with its batch.
 */
function groupKey({ program, judged, batch_id }: Entry, place: number): string {
  const { submission, not_before, expires_at, reseller_unit_price, held } = judged;
  const apart = batch_id !== null ? `batch ${batch_id}` : not_before !== null ? `alone ${place}` : '';
  const given = judged.parameters === null ? '' : JSON.stringify(judged.parameters);
  const flags = `${submission.class} ${submission.flash === true} ${submission.tells} ${judged.text_key?.number} ${held?.id ?? ''} ${given}`;
  return `${factsKey(program)} ${flags} ${not_before} ${expires_at} ${reseller_unit_price} ${apart} ${submission.from}`;
}

function routedGroup(group: readonly Entry[]): RoutedGroup {
  const { program, judged } = group[0]!;
  const { submission, facts } = judged;
  const reseller = program.is_test ? null : pricesOf(facts).pricing.reseller;
  const common = group.every((each) => each.judged.text === judged.text) ? judged.text : null;
  const shared = {
    corporation_id: program.corporation_id,
    department_id: program.department_id,
    user_id: program.user_id,
    billing_account_id: program.billing_account_id,
    campaign_id: null,
    class: submission.class,
    sender_id: submission.from,
    flash: submission.flash ?? false,
    charge_on_delivery: facts.account!.charge_on_delivery,
    common_text: common,
    text_key: judged.text_key,
    expires_at: judged.expires_at,
    not_before: judged.held ? null : judged.not_before,
    held: judged.held !== null,
    channel: program.own ? ('console' as const) : ('api' as const),
    tells: submission.tells,
    parameters: judged.parameters,
    for_tests: program.is_test,
    reseller: reseller && { ...reseller, unit_price: judged.reseller_unit_price! },
  };
  const messages = group.map(({ judged: each }): NewMessage => {
    const { msisdn, unicode, parts, unit_price } = each;
    return { msisdn, name: null, text: common === null ? each.text : null, unicode, parts, unit_price };
  });
  return { shared, messages, routing: facts.routing };
}

/** Returns the item of a chunk that waits for a decision. */
function itemOf(members: readonly Entry[], chunk_id: number): HeldItem[] {
  const { program, judged } = members[0]!;
  const { held: rule, not_before, expires_at, submission } = judged;
  if (!rule) return [];
  const { corporation_id, department_id, user_id } = program;
  return [
    {
      corporation_id,
      department_id,
      user_id,
      sender_id: submission.from,
      rule,
      not_before,
      expires_at,
      chunk_id,
      messages: members.length,
      samples: [...new Set(members.slice(0, 3).map(({ judged: { text } }) => text))],
      text_key: judged.text_key,
    },
  ];
}

/** Returns the reservations of a chunk: the customer's, and the reseller's if there is one. */
function reservationsOf(members: readonly Entry[], chunkId: number): Transfer[] {
  const { program, judged } = members[0]!;
  const { pricing } = pricesOf(judged.facts);
  const { reseller } = pricing;
  const sum = (of: (each: Judged) => number) => members.reduce((all, entry) => all + of(entry.judged), 0);
  const key = `chunk:${chunkId}:reserve`;
  const { billing_account_id, corporation_id } = program;
  const own = { key, billing_account_id, corporation_id, amount: sum((j) => j.parts * j.unit_price), pricing };
  if (!reseller) return [own];
  const theirs = { billing_account_id: reseller.billing_account_id, corporation_id: reseller.corporation_id };
  return [own, { key: `${key}:reseller`, ...theirs, amount: sum((j) => j.parts * j.reseller_unit_price!) }];
}
