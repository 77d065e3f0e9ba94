/** Answer of a service about one number. */
export interface LookupAnswer {
  /** Codes of its network; null if the service does not know it. */
  code: readonly [mcc: string, mnc: string] | null;
  /** True if the service says that nobody has the number. */
  dead: boolean;
}

/** Answers by number, and the reason if the service could not be asked. Numbers without an answer are left out. */
export interface Asked {
  answers: ReadonlyMap<string, LookupAnswer>;
  fault: string | null;
}

/** Source as drivers need it. */
export interface Source {
  id: number;
  driver: 'http' | 'enum' | 'dump' | 'simulator';
  url: string | null;
  authorization_sealed: string | null;
  batch_size: number;
  items_path: string;
  number_path: string | null;
  mcc_path: string | null;
  mnc_path: string | null;
  state_path: string | null;
  dead_values: readonly string[];
  server: string | null;
  zone: string | null;
}

/** Splits codes that are written as one: three digits of the country, then those of the network. */
export function splitCode(text: string): readonly [string, string] | null {
  const [, mcc, mnc] = /^(\d{3})[-\s]?(\d{1,3})$/.exec(text.trim()) ?? [];
  return mcc && mnc ? [mcc, mnc.padStart(2, '0')] : null;
}
