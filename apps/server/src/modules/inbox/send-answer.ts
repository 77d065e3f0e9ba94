import { countParts, MAX_PARTS } from '@heliograph/contract/kernel/segments';
import type { Kysely } from 'kysely';
import { type Prices, priceLookup, reserve } from '#modules/billing';
import { chunkOf, enqueueMessages, type NewMessage } from '#modules/delivery';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { currentTextKey, type KeyConfig } from '#platform/text/text-keys';

/** Owner and sender of a text to phones. */
export interface Answering {
  corporation_id: number;
  department_id: number | null;
  user_id: number | null;
  /** Sender as phones show it. */
  sender: string;
  /** True for the confirmation of an opt-out, which is sent although the phone opted out. */
  confirms_opt_out?: boolean;
}

/** Text for a phone; its number has digits only. */
export interface Said {
  msisdn: string;
  text: string;
}

/** Messages that were queued, and their maximum cost in thousandths. */
interface Sent {
  /** Ids of the messages, in the order of the given texts. */
  ids: number[];
  parts: number;
  cost: number;
  currency: string;
}

const HOUR_MS = 3_600_000;

/**
 * Sends texts to phones in class transactional. They are queued, priced and reserved in the caller's transaction, all
 * or none. Throws `text_too_long`, `billing_account_missing`, `no_route` and refusals of prices and credit.
 */
export async function sendAnswers(
  db: Kysely<Database>,
  { clock, config }: { clock: Clock; config: KeyConfig },
  answering: Answering,
  said: readonly Said[],
): Promise<Sent> {
  const counted = said.map(({ text }) => countParts(text));
  if (counted.some(({ parts }) => parts > MAX_PARTS)) throw new BusinessError('text_too_long');
  const account = await accountOf(db, answering);
  const now = clock.now();
  const text_key = await currentTextKey(db, config, answering.corporation_id);
  const prices = await priceLookup(db, account.id, { at: now });
  const { reseller } = prices.pricing;
  const messages = said.map(({ msisdn, text }, place): NewMessage => {
    const { parts, encoding } = counted[place]!;
    return { msisdn, name: null, text, unicode: encoding === 'ucs2', parts, unit_price: prices.priceOf(msisdn) };
  });
  const sent: Sent = { ids: new Array(said.length), parts: 0, cost: 0, currency: account.currency };
  // All messages of a chunk must have the same reseller price.
  for (const [resellerPrice, places] of Map.groupBy(
    messages.keys(),
    (place) => prices.resellerPriceOf?.(said[place]!.msisdn) ?? null,
  )) {
    const group = places.map((place) => messages[place]!);
    const { text } = group[0]!;
    const common_text = group.every((each) => each.text === text) ? text : null;
    const shared = {
      corporation_id: answering.corporation_id,
      department_id: answering.department_id,
      user_id: answering.user_id,
      billing_account_id: account.id,
      campaign_id: null,
      class: 'transactional' as const,
      confirms_opt_out: answering.confirms_opt_out ?? false,
      sender_id: answering.sender,
      flash: false,
      charge_on_delivery: account.charge_on_delivery,
      reseller: reseller && { ...reseller, unit_price: resellerPrice! },
      common_text,
      text_key,
      expires_at: new Date(now.getTime() + account.sms_validity * HOUR_MS).toISOString(),
    };
    const queued = common_text === null ? group : group.map((each) => ({ ...each, text: null }));
    const ids = await enqueueMessages(db, shared, queued);
    for (const [index, place] of places.entries()) sent.ids[place] = ids[index]!;
    await reserveChunks(db, answering, account.id, prices, group, ids, shared.reseller);
    for (const { parts, unit_price } of group) {
      sent.parts += parts;
      sent.cost += parts * unit_price;
    }
  }
  return sent;
}

/** Reserves the cost of each chunk, from the account and from the reseller's account. */
async function reserveChunks(
  db: Kysely<Database>,
  { corporation_id, user_id }: Answering,
  billing_account_id: number,
  { pricing }: Prices,
  messages: readonly NewMessage[],
  ids: readonly number[],
  reseller: { billing_account_id: number; corporation_id: number; unit_price: number } | null,
): Promise<void> {
  for (const [chunk, members] of Map.groupBy(messages.keys(), (place) => chunkOf(ids[place]!))) {
    const own = members.map((place) => messages[place]!);
    const parts = own.reduce((sum, each) => sum + each.parts, 0);
    const amount = own.reduce((sum, each) => sum + each.parts * each.unit_price, 0);
    const key = `chunk:${chunk}:reserve`;
    await reserve(
      db,
      { key, billing_account_id, corporation_id, amount, user_id, pricing },
      reseller && {
        key: `${key}:reseller`,
        billing_account_id: reseller.billing_account_id,
        corporation_id: reseller.corporation_id,
        amount: parts * reseller.unit_price,
      },
    );
  }
}

/** Returns the account that pays: the user's own if it belongs to the corporation, otherwise the first enabled one. */
async function accountOf(
  db: Kysely<Database>,
  { corporation_id, user_id }: Pick<Answering, 'corporation_id' | 'user_id'>,
) {
  const accounts = await db
    .selectFrom('billing_account')
    .innerJoin('corporation', 'corporation.id', 'billing_account.corporation_id')
    .select(['billing_account.id', 'billing_account.charge_on_delivery', 'billing_account.sms_validity'])
    .select(['billing_account.enabled', 'corporation.currency'])
    .where('billing_account.corporation_id', '=', corporation_id)
    .orderBy('billing_account.id')
    .execute();
  const person =
    user_id === null
      ? undefined
      : await db.selectFrom('user_account').select('billing_account_id').where('id', '=', user_id).executeTakeFirst();
  const own = accounts.find(({ id }) => id === person?.billing_account_id);
  const account = own ?? accounts.find(({ enabled }) => enabled);
  if (!account) throw new BusinessError('billing_account_missing');
  return account;
}

/** Returns the price of a part to a phone in thousandths, or null while the corporation cannot send to it. */
export async function partPrice(
  db: Kysely<Database>,
  clock: Clock,
  answering: Pick<Answering, 'corporation_id' | 'user_id'>,
  msisdn: string,
): Promise<{ price: number; currency: string } | null> {
  try {
    const account = await accountOf(db, answering);
    const { priceOf } = await priceLookup(db, account.id, { at: clock.now() });
    return { price: priceOf(msisdn), currency: account.currency };
  } catch (error) {
    if (error instanceof BusinessError) return null;
    throw error;
  }
}
