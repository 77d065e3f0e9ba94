import type { CarrierIdRule } from '@heliograph/smpp';
import type { Queryable } from '../queryable.ts';
import { rowsOf } from '../queryable.ts';
import type { LinkCharset } from './submit-fields.ts';

/** A link as the sender uses it. */
export interface Link {
  id: number;
  name: string;
  host: string;
  port: number;
  tls: boolean;
  system_id: string;
  password_sealed: string;
  system_type: string;
  bind_mode: 'transceiver' | 'transmitter_receiver';
  binds: number;
  window_size: number;
  rate: number | null;
  id_rule: 'as_is' | 'hex_to_decimal' | 'decimal_to_hex';
  default_charset: LinkCharset;
}

/** How receipt ids of the link are brought to the form of its responses. */
export const RECEIPT_ID_RULE: Readonly<Record<Link['id_rule'], CarrierIdRule>> = {
  as_is: 'opaque',
  hex_to_decimal: 'hex_to_dec',
  decimal_to_hex: 'dec_to_hex',
};

/** The context under which a link's password is sealed. */
export const passwordContext = (linkId: number): string => `link.password_sealed:${linkId}`;

/** All links that are switched on. */
export const enabledLinks = (db: Queryable): Promise<Link[]> =>
  rowsOf<Link>(
    db,
    `SELECT id, name, host, port, tls, system_id, password_sealed, system_type, bind_mode, binds, window_size, rate,
       id_rule, default_charset
     FROM link WHERE enabled ORDER BY id`,
  );
