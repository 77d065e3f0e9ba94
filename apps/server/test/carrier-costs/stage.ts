import type { carrierCardChanges, costOfNumber } from '@heliograph/contract/carrier-costs/carrier-card';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { carrierRateKind } from '#modules/carrier-costs';
import { bulkUploadJobs } from '#platform/tasks/read-bulk-upload';
import { type ApiStage, apiStage } from '../api/stage.ts';
import type { Scope } from '../template-database.ts';
import type { Client } from '../test-api.ts';
import { formOf } from '../uploads.ts';

type Card = { id: number; version: number | null; from_at: string | null; state: string; rates: number };
type Changes = ReplyOf<typeof carrierCardChanges>;
type Costs = ReplyOf<typeof costOfNumber>;

/** The demo's API with a link without cards, and short ways to enter its prices. */
export interface CostStage extends ApiStage {
  admin: Client;
  link_id: number;
  /** Creates a draft of the link. */
  draft(more?: object): Promise<Card>;
  rate(card: Card, body: object): Promise<{ status: number; body: unknown }>;
  apply(card: Card): Promise<Card>;
  changes(card: Card, query?: string): Promise<Changes>;
  /** Uploads a file into a draft and reads it. Returns the task. */
  upload(card: Card, content: string | Buffer, more?: Record<string, string>): Promise<Record<string, unknown>>;
  cost(query: Record<string, string>): Promise<Costs['links'][number]['cost']>;
}

export async function costStage(t: Scope): Promise<CostStage> {
  const stage = await apiStage(t);
  const { api, one } = stage;
  const admin = await api.as('admin');
  const { id: link_id } = await one<{ id: number }>(
    `INSERT INTO link (name, host, port, system_id) VALUES ('Melrose', '127.0.0.1', 9, 'x') RETURNING id`,
  );
  const data = <Row>({ status, body }: { status: number; body: unknown }) => {
    if (status >= 300) throw new Error(JSON.stringify(body));
    return (body as { data: Row }).data;
  };
  // Cards count by the days of the platform, which are ahead of those of UTC.
  const today = new Date().toTemporalInstant().toZonedDateTimeISO('Asia/Manila').toPlainDate().toString();
  const go = new AbortController().signal;
  return {
    ...stage,
    admin,
    link_id,
    draft: async (more = {}) =>
      data<Card>(
        await admin('POST', '/api/v1/carrier-cards', {
          link_id,
          name: `Card ${Math.random()}`,
          currency: 'EUR',
          starts_on: today,
          ...more,
        }),
      ),
    rate: (card, body) => admin('POST', '/api/v1/carrier-rates', { carrier_card_id: card.id, ...body }),
    apply: async (card) => data<Card>(await admin('POST', `/api/v1/carrier-cards/${card.id}/apply`)),
    async changes(card, query = '') {
      const { status, body } = await admin('GET', `/api/v1/carrier-cards/${card.id}/changes${query}`);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body as Changes;
    },
    async upload(card, content, more = {}) {
      const query = new URLSearchParams({ carrier_card_id: String(card.id), ...more });
      const sent = data<{ id: number }>(await admin('POST', `/api/v1/carrier-rates/bulk?${query}`, formOf(content)));
      const work = (_job: unknown, handler: (data: object, signal: AbortSignal) => Promise<void>) =>
        handler({ bulk_upload_id: sent.id }, go);
      const worker = { config: api.config, database: api.database.db('worker'), clock: { now: () => new Date() } };
      await bulkUploadJobs({ ...worker, log: api.log, jobs: { work } } as never, [carrierRateKind as never]);
      return data(await admin('GET', `/api/v1/bulk-uploads/${sent.id}`));
    },
    async cost(query) {
      const asked = new URLSearchParams({ link_id: String(link_id), ...query });
      const { status, body } = await admin('GET', `/api/v1/carrier-cards/cost?${asked}`);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return (body as Costs).links[0]!.cost;
    },
  };
}
