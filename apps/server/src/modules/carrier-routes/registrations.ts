import type { Read } from './read-routing.ts';

/** Sender of a message, as links ask for it. */
export interface SentBy {
  corporation_id: number | null;
  sender_id: string | null;
}

/** Owner of the platform's own texts: their name is the operator's choice, and no record that could be registered. */
const PLATFORM = 0;

/** Sender IDs that the carriers know, of all links that ask for a registration, as they are at one moment. */
export class Registrations {
  readonly #registered: ReadonlyMap<number, ReadonlySet<string>>;

  /** `registered` has entries `corporation sender`, with numbers written without leading zeros. */
  constructor(links: readonly { link_id: number; registered: readonly string[] }[]) {
    this.#registered = new Map(links.map(({ link_id, registered }) => [link_id, new Set(registered)]));
  }

  /** True if any link asks for a registration. If none does, nothing else needs to be looked at. */
  get asked(): boolean {
    return this.#registered.size > 0;
  }

  /** Returns whether a link asks for a registration. */
  asks(linkId: number): boolean {
    return this.#registered.has(linkId);
  }

  /** Returns whether a link takes messages of a sender ID, as far as registrations decide it. */
  allows(linkId: number, { corporation_id, sender_id }: SentBy): boolean {
    const registered = this.#registered.get(linkId);
    if (!registered || corporation_id === PLATFORM) return true;
    return registered.has(`${corporation_id} ${(sender_id ?? '').replace(/^00(?=\d+$)/, '')}`);
  }
}

/** Registrations of an installation in which no link asks for them. */
export const NO_REGISTRATIONS = new Registrations([]);

/** Reads all registrations as the transaction sees them. */
export async function readRegistrations(read: Read): Promise<Registrations> {
  const rows = await read<{ link_id: number; registered: string[] }>('SELECT * FROM all_registrations()', []);
  return rows.length > 0 ? new Registrations(rows) : NO_REGISTRATIONS;
}
