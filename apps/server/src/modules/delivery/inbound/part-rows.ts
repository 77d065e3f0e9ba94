import type { ParameterValues } from '@heliograph/contract/links/vendor-parameters';
import { joinSegments, type SegmentBody } from '@heliograph/smpp';
import type pg from 'pg';
import { numberArray, textArray } from '#platform/database/array-literal';
import type { Link } from '../sending/link.ts';
import type { InboundMessage } from './hand-on.ts';

/** Fields that all parts of a message share. */
export interface PartKey {
  link_id: number;
  sender: string;
  recipient: string;
  kind: string;
  reference: number;
  total: number;
}

/** A part as received. */
export interface NewPart extends PartKey, SegmentBody {
  number: number;
  /** Vendor TLVs of this part; null for none. */
  parameters: ParameterValues | null;
  /** Epoch milliseconds. */
  at: number;
  charset: Link['default_charset'];
}

/** A stored part. */
export interface PartRow extends PartKey, SegmentBody {
  id: number;
  number: number;
  parameters: ParameterValues | null;
  at: number;
  handed_on: boolean;
}

/** Answers the key that all parts of one message share. */
export const keyOf = ({ link_id, sender, recipient, kind, reference, total }: PartKey): string =>
  JSON.stringify([link_id, sender, recipient, kind, reference, total]);

/** Time after the hand-over of a message in which a repeated part is recognized. */
export const REMEMBERED = '10 minutes';

// Without the lock, two transactions that each bring one part of a message would miss each other's part. Taken in one
// order.
const LOCK = `
  SELECT pg_advisory_xact_lock(${0x48454c50}, h) FROM (SELECT DISTINCT hashtext(k) AS h FROM unnest($1::text[]) k ORDER BY 1) l`;

const COLUMNS = `p.id, p.link_id, p.sender, p.recipient, p.kind, p.reference, p.total, p.part AS number, p.data_coding,
  p.udh_octets, p.body, p.parameters, extract(epoch FROM p.received_at)::float8 * 1000 AS at, p.handed_on_at IS NOT NULL AS handed_on`;

const READ = `
  SELECT ${COLUMNS}
  FROM (SELECT DISTINCT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::smallint[])
    AS u(link_id, sender, recipient, kind, reference, total)) w
  JOIN inbound_part p USING (link_id, sender, recipient, kind, reference, total)
  WHERE p.handed_on_at IS NULL OR p.handed_on_at > now() - interval '${REMEMBERED}'
  ORDER BY p.id`;

/** Locks the messages of some parts until the transaction ends, and reads their stored parts. */
export async function lockParts(client: pg.ClientBase, keys: readonly PartKey[]): Promise<PartRow[]> {
  await client.query(LOCK, [keys.map(keyOf)]);
  const { rows } = await client.query<PartRow>(READ, [
    numberArray(keys.map((k) => k.link_id)),
    textArray(keys.map((k) => k.sender)),
    textArray(keys.map((k) => k.recipient)),
    textArray(keys.map((k) => k.kind)),
    numberArray(keys.map((k) => k.reference)),
    numberArray(keys.map((k) => k.total)),
  ]);
  return rows;
}

const INSERT = `
  INSERT INTO inbound_part (link_id, sender, recipient, kind, reference, total, part, data_coding, udh_octets, body, received_at, parameters)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11::float8 / 1000), $12) RETURNING id`;

/** Keeps a part. */
export async function keepPart(client: pg.ClientBase, part: NewPart): Promise<PartRow> {
  const { charset, ...columns } = part;
  const { rows } = await client.query<{ id: number }>(INSERT, [
    part.link_id,
    part.sender,
    part.recipient,
    part.kind,
    part.reference,
    part.total,
    part.number,
    part.data_coding,
    part.udh_octets,
    part.body,
    part.at,
    part.parameters && JSON.stringify(part.parameters),
  ]);
  return { ...columns, id: rows[0]!.id, handed_on: false };
}

/** Marks parts after the hand-over of their message. */
export async function markHandedOn(client: pg.ClientBase, parts: readonly PartRow[]): Promise<void> {
  if (parts.length === 0) return;
  await client.query('UPDATE inbound_part SET handed_on_at = now() WHERE id = ANY ($1::bigint[])', [
    numberArray(parts.map(({ id }) => id)),
  ]);
}

/** Builds the message of these parts, complete or not. */
export function messageOf(parts: readonly PartRow[], charset: Link['default_charset']): InboundMessage {
  const { link_id, sender, recipient, total } = parts[0]!;
  return {
    link_id,
    sender,
    recipient,
    ...contentOf(parts, total, charset),
    parts: parts.length,
    total,
    parameters: parts.some(({ parameters }) => parameters)
      ? Object.assign({}, ...parts.map((p) => p.parameters))
      : null,
    received_at: Math.min(...parts.map((p) => p.at)),
  };
}

/** Answers whether octets are no text (SMPP 3.4 §5.2.19, and 3GPP TS 23.038 §4 for 8-bit data of a message class). */
const isBinary = (dataCoding: number): boolean =>
  dataCoding === 0x02 || dataCoding === 0x04 || (dataCoding & 0xf4) === 0xf4;

/**
 * Builds the content of a message from its parts in any order: its text, or its octets in hex if all parts are binary.
 */
export function contentOf(
  parts: readonly (SegmentBody & { number: number })[],
  total: number,
  charset: Link['default_charset'],
): Pick<InboundMessage, 'text' | 'is_binary'> {
  if (!parts.every(({ data_coding }) => isBinary(data_coding)))
    return { text: storable(joinSegments(parts, total, charset)), is_binary: false };
  const sorted = parts.toSorted((a, b) => a.number - b.number);
  return { text: Buffer.concat(sorted.map(({ body }) => body)).toString('hex'), is_binary: true };
}

/** Removes what cannot be stored: NUL, the mark of encrypted texts and half surrogate pairs, all of damaged texts. */
const storable = (text: string): string => text.replaceAll('\0', '').replaceAll('\u0002', '').toWellFormed();
