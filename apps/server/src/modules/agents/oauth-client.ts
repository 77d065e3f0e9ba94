import { BusinessError } from '#platform/errors';
import { open, seal } from '#platform/process/seal';
import { type ClientDocuments, isDocumentAddress } from './client-document.ts';
import { type ClientSaid, placeOf, registration } from './client-said.ts';

const CONTEXT = 'agents.client';
/** Most characters of an id; those that ask with it put it into an address. */
const MOST_ID = 4_000;

/** Program that asks to be connected. */
export interface AgentClient {
  name: string;
  /** Host whose document says so; null for a program that has registered itself. */
  known_by: string | null;
}

/** Returns the id of a program; undefined if it would be too long. The program is stored nowhere: its id is what it said, sealed. */
export function clientId(key: Buffer, said: ClientSaid): string | undefined {
  const id = seal(key, JSON.stringify(said), CONTEXT);
  return id.length <= MOST_ID ? id : undefined;
}

const portless = (address: string) => address.replace(/^(http:\/\/[^/?:]+|http:\/\/\[::1\]):\d+/, '$1');

/** Tells if an address is one that a program has named. On its own computer the port may be another (RFC 8252 clause 7.3). */
const isNamed = (named: readonly string[], address: string) =>
  placeOf(address) !== undefined &&
  named.some((each) =>
    placeOf(address) === 'computer' && placeOf(each) === 'computer'
      ? portless(each) === portless(address)
      : each === address,
  );

/** Reads the program of an id that may be sent back to an address. Throws `agent_client_unknown`, `agent_client_unreachable`. */
export async function readClient(
  { key, documents }: { key: Buffer; documents: ClientDocuments },
  id: string,
  redirect: string,
): Promise<AgentClient> {
  if (isDocumentAddress(id)) {
    const { client_name, redirect_uris } = await documents.read(id);
    if (!isNamed(redirect_uris, redirect)) throw new BusinessError('agent_client_unknown');
    return { name: client_name, known_by: new URL(id).host };
  }
  try {
    const { client_name, redirect_uris } = registration.parse(JSON.parse(open(key, id, CONTEXT)));
    if (isNamed(redirect_uris, redirect)) return { name: client_name, known_by: null };
  } catch {
    // Not ours.
  }
  throw new BusinessError('agent_client_unknown');
}
