import { z } from 'zod';
import type { Clock } from '#platform/clock';
import { BusinessError } from '#platform/errors';
import type { OutboundAnswer } from '#platform/outbound/agent';
import { type ClientSaid, registration } from './client-said.ts';

const MAX_BYTES = 16 * 1024;
/** Time for which a document is good, in ms. */
const GOOD_FOR_MS = 300_000;
const MOST_KEPT = 500;

/** Tells if the id of a program is the address of its own description: https, with a path, written as a browser writes it. */
export function isDocumentAddress(id: string): boolean {
  if (!id.startsWith('https://') || !URL.canParse(id)) return false;
  const { href, pathname, username, password, hash } = new URL(id);
  return href === id && pathname !== '/' && username === '' && password === '' && hash === '';
}

/** Reads what a program says of itself at the address `id`; undefined if that is no description of its own. */
export function readDocument(id: string, body: string): ClientSaid | undefined {
  try {
    const said: unknown = JSON.parse(body);
    return z
      .object({ client_id: z.literal(id) })
      .and(registration)
      .parse(said);
  } catch {
    return undefined;
  }
}

/**
 * Descriptions that programs have at their own addresses (draft-ietf-oauth-client-id-metadata-document). They are fetched
 * only for people who have signed in, from public addresses, without redirects, and kept for five minutes.
 */
export class ClientDocuments {
  readonly #fetch: (url: string, maxBytes: number) => Promise<OutboundAnswer>;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { read: ClientSaid; at: number }>();

  constructor(fetch: (url: string, maxBytes: number) => Promise<OutboundAnswer>, clock: Clock) {
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /** Reads the description at an address. Throws `agent_client_unreachable`, `agent_client_unknown`. */
  async read(id: string): Promise<ClientSaid> {
    const now = this.#clock.now().getTime();
    const kept = this.#kept.get(id);
    if (kept && now - kept.at < GOOD_FOR_MS) return kept.read;
    const { fault, body } = await this.#fetch(id, MAX_BYTES);
    if (fault !== null) throw new BusinessError('agent_client_unreachable');
    const read = readDocument(id, body);
    if (!read) throw new BusinessError('agent_client_unknown');
    this.#kept.delete(id);
    this.#kept.set(id, { read, at: now });
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return read;
  }
}
