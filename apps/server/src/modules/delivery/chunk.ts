import type { MessageClass } from '#platform/database/schema';
import type { TextKey } from '#platform/text/sealed-text';

/** Fields that all messages of a chunk share. */
export interface ChunkShared {
  corporation_id: number;
  department_id: number | null;
  user_id: number | null;
  billing_account_id: number;
  /** Null outside campaigns, such as a test send. */
  campaign_id: number | null;
  link_id: number;
  class: MessageClass;
  sender_id: string;
  flash: boolean;
  /** True if messages are charged when the receipt says delivered; false if at the carrier's acceptance. */
  charge_on_delivery: boolean;
  /** Text of every message without a text of its own. */
  common_text: string | null;
  /** Key with which the texts are encrypted; null if they are not. */
  text_key: TextKey | null;
  /** Time at which unsent messages expire, RFC 3339; null takes the campaign's. */
  expires_at?: string | null;
  /** Carrier route that led to the link, and names other links for the messages; null without one. */
  carrier_route_id?: number | null;
  /** Reseller's account that pays as well; null or left out without one. */
  reseller?: ResellerShare | null;
  /** Channel for the throughput limit: the console, which is the default, or the API. */
  channel?: 'console' | 'api';
  /** Time zones of the recipients, joined by commas, if their quiet hours are kept. */
  quiet_zone?: string | null;
  /** True if it waits for the canary before it. */
  after_canary?: boolean;
  /** True if it confirms an opt-out: it is sent although the recipient opted out. */
  confirms_opt_out?: boolean;
  /** Whether the outcomes of its messages become events. Left out, they do if anybody gets the corporation's events. */
  tells?: boolean;
  /** Values of vendor parameters by name, besides those of the sender ID. */
  parameters?: Readonly<Record<string, string>> | null;
  /** Time until which it is held, RFC 3339; null or left out, it leaves now. */
  not_before?: string | null;
  /** True if it waits for a decision, and not for a time. */
  held?: boolean;
}

/** Reseller's price for the messages of a chunk, and when it is charged. */
export interface ResellerShare {
  billing_account_id: number;
  corporation_id: number;
  /** Price of one part, in thousandths: the same for every message of the chunk. */
  unit_price: number;
  charge_on_delivery: boolean;
}

export interface NewMessage {
  /** Only digits. */
  msisdn: string;
  name: string | null;
  /** Null for the chunk's common text. */
  text: string | null;
  unicode: boolean;
  parts: number;
  /** Price of one part, in thousandths. */
  unit_price: number;
  /** Network that a lookup said, if it is another one than the prefix says. */
  ported?: number;
}
