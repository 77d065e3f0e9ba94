import type { MessageClass } from '#platform/schema';

/** What all messages of a chunk share. */
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
  /** True: charged when the receipt says delivered; else at the carrier's acceptance. */
  charge_on_delivery: boolean;
  /** The text of every message that has none of its own. */
  common_text: string | null;
  /** When unsent messages expire, RFC 3339; null takes the campaign's. */
  expires_at?: string | null;
  /** The carrier route that led to the link and tells where else the messages may go; null without one. */
  carrier_route_id?: number | null;
  /** The reseller's account that pays as well; null or left out without one. */
  reseller?: ResellerShare | null;
  /** Whose throughput counts: the console's, which is the default, or the API's. */
  channel?: 'console' | 'api';
  /** The zones of the recipients, joined by commas, where their night is kept. */
  quiet_zone?: string | null;
  /** It waits for what goes before it. */
  after_canary?: boolean;
  /** It confirms an opt-out, and is sent in spite of it. */
  confirms_opt_out?: boolean;
  /** Whether the ends of its messages are events; left out, it is as somebody is told of the corporation's or not. */
  tells?: boolean;
  /** It is held until then, RFC 3339; null or left out, it leaves at once. */
  not_before?: string | null;
}

/** What a reseller pays for the messages of a chunk, and when. */
export interface ResellerShare {
  billing_account_id: number;
  corporation_id: number;
  /** Of one part, in thousandths: the same for every message of the chunk. */
  unit_price: number;
  charge_on_delivery: boolean;
}

export interface NewMessage {
  /** Digits alone. */
  msisdn: string;
  name: string | null;
  /** Null: the chunk's common text. */
  text: string | null;
  unicode: boolean;
  parts: number;
  /** Of one part, in thousandths. */
  unit_price: number;
}
