import { PrefixTree } from '#platform/structures/prefix-tree';

/** Mobile network. */
export interface Network {
  id: number;
  /** Region, ISO 3166-1 alpha-2. */
  country: string;
  /** Mobile country code and network code; null where they are not known. */
  mcc: string | null;
  mnc: string | null;
  /** Further codes of the same network, each as `mcc-mnc`. */
  other_codes: readonly string[];
  name: string;
  /** False if forms no longer offer it; its numbers are found all the same. */
  enabled: boolean;
}

/** Network with the first digits of its numbers. */
export interface NetworkPrefixes extends Network {
  prefixes: readonly string[];
}

/** All networks and prefixes at one version, in memory. Made for lookups of every message. */
export class NetworkTable {
  /** Version of the prefixes, counted from 1; 0 before the first. */
  readonly version: number;
  readonly networks: readonly Network[];
  readonly #tree: PrefixTree;
  readonly #byId: ReadonlyMap<number, Network>;
  readonly #byCode = new Map<string, Network>();

  constructor(version: number, networks: readonly NetworkPrefixes[]) {
    this.version = version;
    this.networks = networks.map(({ prefixes: _, ...network }) => network);
    this.#byId = new Map(this.networks.map((network) => [network.id, network]));
    const prefixes: string[] = [];
    const places: number[] = [];
    for (const [place, network] of networks.entries())
      for (const prefix of network.prefixes) {
        prefixes.push(prefix);
        places.push(place);
      }
    this.#tree = new PrefixTree(prefixes, places);
    // The last one written wins: exact codes over shortened ones, and a network's first code over further ones.
    const codes = this.networks.flatMap((network) => [
      ...network.other_codes.map((code) => ({ code, network })),
      ...(network.mcc === null ? [] : [{ code: `${network.mcc}-${network.mnc}`, network }]),
    ]);
    for (const { code, network } of codes) this.#byCode.set(shortened(code), network);
    for (const { code, network } of codes) this.#byCode.set(code, network);
  }

  /** Returns the network of the longest prefix of a number, given as digits; null if none matches. */
  networkOf(msisdn: string): Network | null {
    const place = this.#tree.find(msisdn);
    return place === undefined ? null : this.networks[place]!;
  }

  /** Returns a network by its id. */
  byId(id: number): Network | undefined {
    return this.#byId.get(id);
  }

  /** Returns the network of a mobile country code and network code, also of one without its leading zeros. */
  byCode(mcc: string, mnc: string): Network | undefined {
    const code = `${mcc}-${mnc}`;
    return this.#byCode.get(code) ?? this.#byCode.get(shortened(code));
  }
}

const shortened = (code: string): string => code.replace(/-0+(?=\d)/, '-');
