import type { Queryable } from '#platform/database/queryable';
import { rowsOf } from '#platform/database/queryable';

/** Relation of the ids in a link's receipts to those of its responses; 'learn' finds it. */
export type IdRule = 'as_is' | 'hex_to_decimal' | 'decimal_to_hex';

/** A link as the sender uses it. */
export interface Link {
  id: number;
  name: string;
  host: string;
  port: number;
  tls: boolean;
  /** PEM; null for the authorities that the system trusts. */
  tls_ca: string | null;
  tls_verify_name: boolean;
  system_id: string;
  password_sealed: string;
  system_type: string;
  bind_mode: 'transceiver' | 'transmitter_receiver' | 'transmitter';
  binds: number;
  window_size: number;
  rate: number | null;
  id_rule: IdRule | 'learn';
  /** Rule in force while id_rule is 'learn'; null if none was learned. */
  learned_id_rule: IdRule | null;
  default_charset: 'gsm' | 'gsm_packed' | 'latin1' | 'ascii';
  long_messages: 'udh_8' | 'udh_16' | 'sar' | 'payload';
  validity_format: 'relative' | 'absolute' | 'none';
  flash_dialect: 'class_0x10' | 'class_0xf0' | 'subunit';
  /** Type of number / numbering plan, such as 5/0. */
  alphanumeric_ton_npi: string;
  short_code_ton_npi: string;
  number_ton_npi: string;
  destination_ton_npi: string;
  registered_delivery: 'none' | 'final' | 'failure' | 'final_and_intermediate';
  sniff_receipts: boolean;
  message_reference: boolean;
  /** WORD=state or err:CODE=state. */
  receipt_words: string[];
  enquire_link_seconds: number;
  response_seconds: number;
  bind_seconds: number;
  /** True while no new messages may leave and the window is drained. */
  draining: boolean;
}

/** Answers the context under which a link's password is sealed. */
export const passwordContext = (linkId: number): string => `link.password_sealed:${linkId}`;

/** Reads all links that a sender must keep: those that are enabled, and those that drain. */
export const keptLinks = (db: Queryable): Promise<Link[]> =>
  rowsOf<Link>(
    db,
    `SELECT id, name, host, port, tls, tls_ca, tls_verify_name, system_id, password_sealed, system_type, bind_mode, binds,
       window_size, rate, id_rule, learned_id_rule, default_charset, long_messages, validity_format, flash_dialect,
       alphanumeric_ton_npi, short_code_ton_npi, number_ton_npi, destination_ton_npi, registered_delivery, sniff_receipts, message_reference,
       receipt_words, enquire_link_seconds, response_seconds, bind_seconds, draining
     FROM link WHERE enabled OR draining ORDER BY id`,
  );

/** Answers the settings that a link's sessions depend on, as text: another text needs new sessions. */
export function sessionSettings(link: Link): string {
  const { name, draining, learned_id_rule, ...settings } = link;
  return JSON.stringify(settings);
}
