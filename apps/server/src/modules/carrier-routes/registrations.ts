import type { Read } from './read-routing.ts';

/** Sender of a message, as links ask for it. */
export interface SentBy {
  corporation_id: number | null;
  sender_id: string | null;
}

/** Owner of the platform's own texts: their name is the operator's choice, and no record that could be registered. */
const PLATFORM = 0;

const keyOf = ({ corporation_id, sender_id }: SentBy) =>
  `${corporation_id} ${(sender_id ?? '').replace(/^00(?=\d+$)/, '')}`;

/** Sender IDs that the carriers know, of all links that ask for a registration, as they are at one moment. */
export class Registrations {
  /** Networks by sender ID, for each link; null for all networks. */
  readonly #registered: ReadonlyMap<number, ReadonlyMap<string, ReadonlySet<number> | null>>;
  /** Sender IDs of which a registration names networks. */
  readonly #limited = new Set<string>();

  /**
   * `registered` has entries `corporation sender`, with numbers written without leading zeros. Those that hold for some
   * networks only have their ids after a tab.
   */
  constructor(links: readonly { link_id: number; registered: readonly string[] }[]) {
    this.#registered = new Map(links.map(({ link_id, registered }) => [link_id, this.#networksOf(registered)]));
  }

  #networksOf(entries: readonly string[]): Map<string, ReadonlySet<number> | null> {
    const networks = new Map<string, ReadonlySet<number> | null>();
    for (const entry of entries) {
      const [sender = '', ids] = entry.split('\t');
      networks.set(sender, ids === undefined ? null : new Set(ids.split(',').map(Number)));
      if (ids !== undefined) this.#limited.add(sender);
    }
    return networks;
  }

  /** True if a registration names networks. If none does, no network of a number is looked up for it. */
  get nameNetworks(): boolean {
    return this.#limited.size > 0;
  }

  /** Returns whether a registration of a sender ID names networks. */
  isLimited(by: SentBy): boolean {
    return this.#limited.size > 0 && this.#limited.has(keyOf(by));
  }

  /** True if any link asks for a registration. If none does, nothing else needs to be looked at. */
  get asked(): boolean {
    return this.#registered.size > 0;
  }

  /** Returns whether a link asks for a registration. */
  asks(linkId: number): boolean {
    return this.#registered.has(linkId);
  }

  /**
   * Returns whether a link takes messages of a sender ID to a network, as far as registrations decide it; without a
   * network, whether it takes those to some.
   */
  allows(linkId: number, by: SentBy, network?: number): boolean {
    const registered = this.#registered.get(linkId);
    if (!registered || by.corporation_id === PLATFORM) return true;
    const networks = registered.get(keyOf(by));
    if (networks === undefined) return false;
    return networks === null || network === undefined || networks.has(network);
  }
}

/** Registrations of an installation in which no link asks for them. */
export const NO_REGISTRATIONS = new Registrations([]);

/** Reads all registrations as the transaction sees them. */
export async function readRegistrations(read: Read): Promise<Registrations> {
  const rows = await read<{ link_id: number; registered: string[] }>('SELECT * FROM all_registrations()', []);
  return rows.length > 0 ? new Registrations(rows) : NO_REGISTRATIONS;
}
