import { decodePdu, decodeShortMessage, type Pdu } from '@heliograph/smpp';

/** A PDU as its fields, in the order of the standard; `text` fields only if texts may be read. */
export interface DescribedPdu {
  command: string;
  fields: { name: string; value: string }[];
}

const hex = (octets: Uint8Array) => Buffer.from(octets).toString('hex');
const TEXTS = new Set(['short_message', 'message_payload', 'tlvs.message_payload']);

/** Lists a PDU field by field. An unreadable PDU is shown as its octets, if texts may be read. */
export function describePdu(raw: Buffer, readable: boolean): DescribedPdu {
  let pdu: Pdu;
  try {
    pdu = decodePdu(raw);
  } catch {
    return { command: '', fields: readable ? [{ name: 'octets', value: hex(raw) }] : [] };
  }
  const { command, ...rest } = pdu as Pdu & Record<string, unknown>;
  const fields: DescribedPdu['fields'] = [];
  const add = (name: string, value: unknown): void => {
    if (value === undefined) return;
    if (value instanceof Uint8Array) {
      const text = TEXTS.has(name);
      if (!text || readable) fields.push({ name, value: hex(value) });
      if (text && readable)
        fields.push({ name: `${name} (text)`, value: decodeShortMessage(value, Number(rest['data_coding'] ?? 0)) });
    } else if (value !== null && typeof value === 'object') {
      for (const [key, each] of Object.entries(value)) add(`${name}.${key}`, each);
    } else fields.push({ name, value: String(value) });
  };
  for (const [name, value] of Object.entries(rest)) add(name, value);
  return { command, fields };
}
