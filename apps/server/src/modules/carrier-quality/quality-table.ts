import type { QualityState } from '@heliograph/contract/carrier-quality/carrier-quality';

/** Runs one statement and returns its rows. */
type Read = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/** Present quality of a link, for a network and kind of sender. */
export interface LinkQuality {
  link_id: number;
  network_id: number;
  sender_kind: string;
  messages: number;
  /** Delivered of ten thousand. */
  rate: number;
  p50_ms: number | null;
  p95_ms: number | null;
  state: QualityState;
}

/** Quality of all links at one moment, in memory. */
export class QualityTable {
  readonly version: string;
  /** Links that have declined for any network and kind of sender. */
  readonly declined: ReadonlySet<number>;
  readonly #exact = new Map<string, LinkQuality>();
  readonly #whole = new Map<number, LinkQuality>();

  constructor(version: string, rows: readonly LinkQuality[]) {
    this.version = version;
    this.declined = new Set(rows.filter(({ state }) => state === 'declined').map(({ link_id }) => link_id));
    for (const row of rows) this.#exact.set(`${row.link_id}/${row.network_id}/${row.sender_kind}`, row);
    for (const [link_id, all] of Map.groupBy(rows, (row) => row.link_id)) {
      const messages = all.reduce((sum, row) => sum + row.messages, 0);
      const rate = all.reduce((sum, row) => sum + row.rate * row.messages, 0) / Math.max(1, messages);
      const slowest = all.reduce((a, b) => ((b.p95_ms ?? 0) > (a.p95_ms ?? 0) ? b : a));
      this.#whole.set(link_id, { ...slowest, network_id: 0, sender_kind: '', messages, rate, state: 'good' });
    }
  }

  /**
   * Returns the quality of a link for a network and kind of sender. Without any, returns that of all its messages, which
   * has never declined; null for a link without traffic.
   */
  of(linkId: number, networkId: number, senderKind: string): LinkQuality | null {
    return this.#exact.get(`${linkId}/${networkId}/${senderKind}`) ?? this.#whole.get(linkId) ?? null;
  }
}

/** Expression of SQL that answers the version of the present quality. */
export const QUALITY_VERSION = '(SELECT version::text FROM carrier_quality_version)';

const READ = `
  SELECT v.version::text AS version, q.link_id, q.network_id, q.sender_kind, q.messages::float8 AS messages, q.rate, q.p50_ms,
    q.p95_ms, q.state
  FROM carrier_quality_version v LEFT JOIN all_carrier_quality() q ON true`;

let kept = new QualityTable('', []);

/** Returns the quality of a version that the caller has read with a statement of its own, by `QUALITY_VERSION`. */
export async function qualityOfVersion(read: Read, version: string): Promise<QualityTable> {
  if (kept.version === version) return kept;
  const rows = await read<{ version: string } & (LinkQuality | { link_id: null })>(READ, []);
  kept = new QualityTable(
    rows[0]!.version,
    rows.filter((row): row is { version: string } & LinkQuality => row.link_id !== null),
  );
  return kept;
}
