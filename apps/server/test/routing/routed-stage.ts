import type { TestContext } from 'node:test';
import type { Simulator } from '@heliograph/carrier-simulator';
import { reserve } from '#modules/billing';
import { enqueueMessages, wakeSenders } from '#modules/delivery';
import type { MessageClass } from '#platform/database/schema';
import { openRoutedWriter } from '../../src/modules/delivery/routed-writer.ts';
import { logOf, type Stage, stage, UNIT_PRICE } from '../delivery/stage.ts';

type Links = readonly (readonly [linkId: number, position: number, weight?: number])[];

/** A stage that finds the links of messages by carrier routes. */
export class RoutedStage {
  readonly stage: Stage;

  constructor(made: Stage) {
    this.stage = made;
  }

  /** Adds a route for the messages that meet `conditions`. */
  async route(links: Links, conditions: Record<string, unknown> = {}): Promise<number> {
    const columns = { name: `R${Math.random()}`, ...conditions };
    const names = Object.keys(columns);
    const { id } = await this.stage.one<{ id: number }>(
      `INSERT INTO carrier_route (${names.join()}) VALUES (${names.map((_, i) => `$${i + 1}`).join()}) RETURNING id`,
      Object.values(columns),
    );
    for (const [linkId, position, weight = 1] of links) {
      await this.stage.owner.query(
        'INSERT INTO carrier_route_link (carrier_route_id, link_id, position, weight) VALUES ($1, $2, $3, $4)',
        [id, linkId, position, weight],
      );
    }
    return id;
  }

  /** Adds another corporation, with its own account that pays for its messages. */
  async corporation(name: string): Promise<{ corporation_id: number; billing_account_id: number }> {
    const { id: corporation_id } = await this.stage.one<{ id: number }>(
      'INSERT INTO corporation (name) VALUES ($1) RETURNING id',
      [name],
    );
    const { id: billing_account_id } = await this.stage.one<{ id: number }>(
      `INSERT INTO billing_account (corporation_id, name, key, price_plan_id, credit_limit)
       SELECT $1, 'A', $2, price_plan_id, 1000000000 FROM billing_account WHERE id = $3 RETURNING id`,
      [corporation_id, name, this.stage.accountId],
    );
    return { corporation_id, billing_account_id };
  }

  /** Starts a campaign of `count` messages to `prefix` plus a counter, queued and reserved. */
  async campaign(
    count: number,
    prefix: string,
    { class: messageClass = 'bulk', ...whose }: CampaignOptions = {},
  ): Promise<number> {
    const s = this.stage;
    const shared = { ...s.shared(), class: messageClass, ...whose };
    return s.transaction(async (client) => {
      const { rows } = await client.query<{ id: number }>(
        `INSERT INTO campaign (corporation_id, created_by, billing_account_id, name, content, sender_id, state, total_count, started_at, expires_at)
         VALUES ($1, $2, $3, 'C', '{}', $4, 'running', $5, now(), now() + interval '12 hours') RETURNING id`,
        [shared.corporation_id, s.userId, shared.billing_account_id, shared.sender_id, count],
      );
      const { id } = rows[0]!;
      await client.query('INSERT INTO campaign_counter (campaign_id, corporation_id) VALUES ($1, $2)', [
        id,
        shared.corporation_id,
      ]);
      const writer = await openRoutedWriter(client, { ...shared, campaign_id: id });
      for (const msisdn of numbersOf(count, prefix)) await writer.add(messageTo(msisdn));
      const { amount } = await writer.flush();
      await reserve(client, {
        key: `reserve:${id}`,
        billing_account_id: shared.billing_account_id,
        corporation_id: shared.corporation_id,
        campaign_id: id,
        amount,
      });
      await wakeSenders(client);
      return id;
    });
  }

  /** Queues messages without a campaign, each in a chunk of its own, as programs send them. */
  async loose(count: number, prefix: string, whose: Partial<CampaignOptions> = {}): Promise<void> {
    const shared = { ...this.stage.shared(), class: 'transactional' as const, ...whose };
    await this.stage.transaction(async (client) => {
      for (const msisdn of numbersOf(count, prefix)) {
        const [id] = await enqueueMessages(client, shared, [messageTo(msisdn)]);
        await reserve(client, {
          key: `message:${id}:reserve`,
          billing_account_id: shared.billing_account_id,
          corporation_id: shared.corporation_id,
          amount: UNIT_PRICE,
        });
      }
    });
  }
}

interface CampaignOptions {
  class?: MessageClass;
  corporation_id?: number;
  billing_account_id?: number;
  sender_id?: string;
}

const numbersOf = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(6, '0')}`);
const messageTo = (msisdn: string) => ({
  msisdn,
  name: null,
  text: null,
  unicode: false,
  parts: 1,
  unit_price: UNIT_PRICE,
});

export async function routedStage(t: TestContext): Promise<RoutedStage> {
  return new RoutedStage(await stage(t));
}

/** Returns the numbers of all segments that a carrier took. */
export const takenBy = (simulator: Simulator): string[] =>
  logOf(simulator)
    .filter(({ status }) => status === 0)
    .map(({ to }) => to);
