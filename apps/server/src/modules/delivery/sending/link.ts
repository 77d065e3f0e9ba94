import type { HttpMapping } from '@heliograph/contract/links/http-mapping';
import { type NetworkTable, readNetworks } from '#modules/networks';
import type { Queryable } from '#platform/database/queryable';
import { rowsOf } from '#platform/database/queryable';
import type { NetworkOf } from './rewriting.ts';

/** Relation of the ids in a link's receipts to those of its responses; 'learn' finds it. */
export type IdRule = 'as_is' | 'hex_to_decimal' | 'decimal_to_hex';

/** A link as the sender uses it. */
export interface Link {
  id: number;
  name: string;
  /** Mapping of a link over HTTP; null for SMPP. */
  http: HttpMapping | null;
  /** True for the virtual carrier of the platform. */
  virtual: boolean;
  /** Key in the address of callbacks. */
  callback_key: string;
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
  /** Vendor parameters: `name=TAG:type:value`. */
  parameters: string[];
  /** Rules of numbers, senders and texts, in their order. */
  number_rules: string[];
  sender_rules: string[];
  text_rules: string[];
  enquire_link_seconds: number;
  response_seconds: number;
  bind_seconds: number;
  /** Test messages of a thousand messages. */
  test_rate: number;
  /** True while no new messages may leave and the window is drained. */
  draining: boolean;
}

/** Answers the context under which a link's password is sealed. */
export const passwordContext = (linkId: number): string => `link.password_sealed:${linkId}`;

/** Networks as they were when links were last read; undefined while no rule of a link names one. */
let networks: NetworkTable | undefined;

/** Finds the network of a number for the rules of links. */
export const networkOf: NetworkOf = (msisdn) => networks?.networkOf(msisdn) ?? null;

const NAMES_NETWORK = /@\d{3}-/;

/**
 * Reads all links that a sender must keep: those that are enabled, and those that drain. Reads the networks, too, if a
 * rule names one.
 */
export async function keptLinks(db: Queryable): Promise<Link[]> {
  const links = await readKept(db);
  if (links.some(({ sender_rules }) => sender_rules.some((rule) => NAMES_NETWORK.test(rule))))
    networks = await readNetworks((text, values) => rowsOf(db, text, values));
  return links;
}

const readKept = (db: Queryable): Promise<Link[]> =>
  rowsOf<Link>(
    db,
    `SELECT id, name, virtual, CASE protocol WHEN 'http' THEN http END AS http, callback_key, host, port, tls, tls_ca, tls_verify_name, system_id, password_sealed, system_type, bind_mode, binds,
       window_size, rate, id_rule, learned_id_rule, default_charset, long_messages, validity_format, flash_dialect,
       alphanumeric_ton_npi, short_code_ton_npi, number_ton_npi, destination_ton_npi, registered_delivery, sniff_receipts, message_reference,
       receipt_words, parameters, number_rules, sender_rules, text_rules, test_rate, enquire_link_seconds, response_seconds, bind_seconds, draining
     FROM link WHERE enabled OR draining ORDER BY id`,
  );

/** Answers the settings that a link's sessions depend on, as text: another text needs new sessions. */
export function sessionSettings(link: Link): string {
  const { name, draining, learned_id_rule, ...settings } = link;
  return JSON.stringify(settings);
}
