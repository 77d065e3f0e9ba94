import { encodePdu } from '@heliograph/smpp';
import type { Selectable } from 'kysely';
import type { Database } from '#platform/database/db';
import { type DescribedPdu, describePdu } from './describe-pdu.ts';
import type { Message } from './segment.ts';
import type { Link } from './sending/link.ts';
import { SubmitFields } from './sending/submit-fields.ts';

type LinkRow = Selectable<Database['link_row']>;
type ChunkRow = Pick<
  Selectable<Database['chunk']>,
  | 'id'
  | 'sender_id'
  | 'flash'
  | 'common_text'
  | 'expires_at'
  | 'created_at'
  | 'parameters'
  | 'class'
  | 'campaign_id'
  | 'corporation_id'
>;

/** Text of a message, its recipient, and the number of parts it was priced for. */
interface Said {
  id: number;
  number: string;
  text: string;
  parts: number;
}

const REFERENCES = 256;

/**
 * Rebuilds the submit_sm of each part at the time `at` with the link's current settings, because the octets are not
 * stored. Empty if the link cannot carry the text any more.
 */
export function describeSubmits(link: LinkRow, chunk: ChunkRow, said: Said, at: string): DescribedPdu[] {
  const fields = new SubmitFields({ ...link, message_reference: false } as unknown as Link);
  const context = {
    ...chunk,
    created_at: Date.parse(chunk.created_at),
    expires_at: chunk.expires_at === null ? null : Date.parse(chunk.expires_at),
  };
  const message = {
    id: said.id,
    chunk: context,
    msisdn: said.number,
    text: said.text,
    parts: said.parts,
    unit_price: 0,
    reference: said.id % REFERENCES,
    answered_at: 0,
  } as unknown as Message;
  try {
    return fields.segmentsOf(message).map((segment) => {
      const pdu = { command: 'submit_sm', sequence: 0, status: 0, ...fields.of(segment, Date.parse(at)) };
      return describePdu(Buffer.from(encodePdu(pdu as never)), true);
    });
  } catch {
    return [];
  }
}
