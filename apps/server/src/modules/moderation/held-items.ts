import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { sealedWith, type TextKey } from '#platform/text/sealed-text';
import type { HoldingRule, Moderation, Screening } from './screening.ts';

/** Maximum texts that a moderator is shown, and characters of each. */
const SAMPLES = 3;
const SAMPLE_LENGTH = 500;

/** Hides the digits of numbers in a text: codes, accounts and phone numbers are nobody's business here. */
export const masked = (text: string): string =>
  text.slice(0, SAMPLE_LENGTH).replace(/\d[\d\s().+-]{2,}\d/g, (number) => number.replace(/\d/g, '•'));

/** Campaign, or chunk of a program's messages, that waits for a decision. */
export interface HeldItem {
  corporation_id: number;
  department_id: number | null;
  user_id: number | null;
  sender_id: string;
  rule: HoldingRule;
  messages: number;
  samples: readonly string[];
  /** Key with which the samples are encrypted; null if they are not. */
  text_key: TextKey | null;
  campaign_id?: number;
  chunk_id?: number;
  /** Time before which the messages may not leave after an approval, RFC 3339. */
  not_before?: string | null;
  expires_at?: string | null;
}

type ModeratedCampaign = Pick<
  Selectable<Database['campaign']>,
  'id' | 'corporation_id' | 'department_id' | 'created_by' | 'sender_id' | 'total_count'
>;

/** Texts of a campaign that fit a rule, while its messages are written. */
export class HeldTexts {
  readonly #campaign: ModeratedCampaign;
  readonly #screening: Screening | null;
  readonly #samples: string[] = [];
  #rule: HoldingRule | null = null;
  /** Last text that no rule held, and the networks of its numbers: most campaigns have one text. */
  #passed = { text: '', networks: new Set<number>() };

  constructor(moderation: Moderation, campaign: ModeratedCampaign) {
    this.#campaign = campaign;
    this.#screening = moderation.of('campaigns', campaign.corporation_id, campaign.sender_id);
  }

  /** True if the same text may be held for one number and not for another. */
  get byNumber(): boolean {
    return this.#screening?.byNetwork ?? false;
  }

  /** Looks at the text of a recipient. */
  look(text: string, msisdn: string): void {
    if (!this.#screening || this.#samples.length >= SAMPLES || this.#samples.includes(text)) return;
    const network = this.#screening.byNetwork ? this.#screening.networkOf(msisdn) : 0;
    if (this.#passed.text === text && this.#passed.networks.has(network)) return;
    const rule = this.#screening.holds({ text, messages: this.#campaign.total_count, msisdn });
    if (!rule) {
      if (this.#passed.text !== text) this.#passed = { text, networks: new Set() };
      this.#passed.networks.add(network);
      return;
    }
    this.#rule ??= rule;
    this.#samples.push(text);
  }

  /**
   * Adds the item that waits for a decision if a rule holds the campaign, in the transaction that writes its messages.
   * Ends what waits of an earlier version.
   */
  async write(db: Kysely<Database>, text_key: TextKey | null): Promise<void> {
    const { id, corporation_id, department_id, created_by, sender_id, total_count } = this.#campaign;
    await db
      .updateTable('moderation_item')
      .set({ state: 'withdrawn' })
      .where('campaign_id', '=', id)
      .where('state', '=', 'waiting')
      .execute();
    if (!this.#rule) return;
    const whose = { campaign_id: id, corporation_id, department_id, user_id: created_by, sender_id };
    await holdForDecision(db, [
      { ...whose, rule: this.#rule, samples: this.#samples, text_key, messages: total_count },
    ]);
  }
}

/** Adds items that wait for a decision, in the transaction that writes their messages. */
export async function holdForDecision(db: Kysely<Database>, items: readonly HeldItem[]): Promise<void> {
  if (items.length === 0) return;
  await db
    .insertInto('moderation_item')
    .values(
      items.map(
        ({ rule, samples, campaign_id = null, chunk_id = null, not_before, expires_at, text_key, ...item }) => ({
          ...item,
          rule_id: rule.id,
          rule_name: rule.name,
          samples: sql<
            string[]
          >`${samples.slice(0, SAMPLES).map((text) => sealedWith(text_key, 'moderation', masked(text)))}::text[]`,
          campaign_id,
          chunk_id,
          not_before: not_before ?? null,
          expires_at: expires_at ?? null,
        }),
      ),
    )
    .execute();
}

/** Tells if a campaign waits for a decision. Nobody else lets it run. */
export async function awaitsDecision(db: Kysely<Database>, campaignId: number): Promise<boolean> {
  const row = await db
    .selectFrom('moderation_item')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return row !== undefined;
}
