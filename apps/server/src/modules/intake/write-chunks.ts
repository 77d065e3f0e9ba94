import type { Kysely } from 'kysely';
import { reserveAll, type Transfer } from '#modules/billing';
import { chunkOf, type NewMessage, type RoutedGroup, writeRouted } from '#modules/delivery';
import { type HeldItem, holdForDecision } from '#modules/moderation';
import type { Database } from '#platform/database/db';
import { pricesOf } from './credit.ts';
import type { Judged } from './judge.ts';
import type { Accepted } from './program.ts';
import { factsKey } from './read-facts.ts';
import type { Entry } from './write-units.ts';

/** Writes messages in chunks that share everything else, and reserves the cost of each chunk. */
export async function writeChunks(
  db: Kysely<Database>,
  entries: readonly Entry[],
): Promise<ReadonlyMap<Entry, Accepted>> {
  const accepted = new Map<Entry, Accepted>();
  if (entries.length === 0) return accepted;
  const transfers: Transfer[] = [];
  const held: HeldItem[] = [];
  const grouped = Map.groupBy(entries.keys(), (place) => groupKey(entries[place]!, place));
  const groups = [...grouped.values()].map((places) => places.map((place) => entries[place]!));
  const written = await writeRouted(db, groups.map(routedGroup));
  for (const [nth, group] of groups.entries()) {
    const ids = written[nth]!;
    for (const [index, entry] of group.entries()) {
      const { msisdn, parts, unit_price, facts, expires_at, not_before } = entry.judged;
      const price = parts * unit_price;
      accepted.set(entry, { id: ids[index]!, msisdn, parts, price, currency: facts.currency, expires_at, not_before });
    }
    held.push(...itemsOf(group, ids));
    if (!group[0]!.program.is_test) transfers.push(...reservationsOf(group, ids));
  }
  await holdForDecision(db, held);
  await reserveAll(db, transfers);
  return accepted;
}

/**
 * Identifies the messages that share a chunk. A message that can be called off has its own chunk, or shares it only
 * with its batch.
 */
function groupKey({ program, judged, batch_id }: Entry, place: number): string {
  const { submission, not_before, expires_at, reseller_unit_price, held } = judged;
  const apart = batch_id !== null ? `batch ${batch_id}` : not_before !== null ? `alone ${place}` : '';
  const flags = `${submission.class} ${submission.flash === true} ${submission.tells} ${held?.id ?? ''}`;
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
    expires_at: judged.expires_at,
    not_before: judged.held ? null : judged.not_before,
    held: judged.held !== null,
    channel: 'api' as const,
    tells: submission.tells,
    for_tests: program.is_test,
    reseller: reseller && { ...reseller, unit_price: judged.reseller_unit_price! },
  };
  const messages = group.map(({ judged: each }): NewMessage => {
    const { msisdn, unicode, parts, unit_price } = each;
    return { msisdn, name: null, text: common === null ? each.text : null, unicode, parts, unit_price };
  });
  return { shared, messages, routing: facts.routing };
}

/** Returns an item for each chunk that waits for a decision. */
function itemsOf(group: readonly Entry[], ids: readonly number[]): HeldItem[] {
  const { program, judged } = group[0]!;
  const { held: rule, not_before, expires_at, submission } = judged;
  if (!rule) return [];
  const { corporation_id, department_id, user_id } = program;
  const shared = { corporation_id, department_id, user_id, sender_id: submission.from, rule, not_before, expires_at };
  return [...Map.groupBy(group.keys(), (index) => chunkOf(ids[index]!))].map(([chunk_id, members]) => ({
    ...shared,
    chunk_id,
    messages: members.length,
    samples: [...new Set(members.slice(0, 3).map((index) => group[index]!.judged.text))],
  }));
}

function reservationsOf(group: readonly Entry[], ids: readonly number[]): Transfer[] {
  const { program, judged } = group[0]!;
  const { pricing } = pricesOf(judged.facts);
  const { reseller } = pricing;
  return [...Map.groupBy(group.keys(), (index) => chunkOf(ids[index]!))].flatMap(([chunk, members]) => {
    const sum = (of: (each: Judged) => number) => members.reduce((all, index) => all + of(group[index]!.judged), 0);
    const key = `chunk:${chunk}:reserve`;
    const { billing_account_id, corporation_id } = program;
    const own = { key, billing_account_id, corporation_id, amount: sum((j) => j.parts * j.unit_price), pricing };
    if (!reseller) return [own];
    const theirs = { billing_account_id: reseller.billing_account_id, corporation_id: reseller.corporation_id };
    return [own, { key: `${key}:reseller`, ...theirs, amount: sum((j) => j.parts * j.reseller_unit_price!) }];
  });
}
