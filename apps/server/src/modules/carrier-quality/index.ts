import {
  carrierQuality,
  carrierQualityDecisions,
  carrierQualityHistory,
} from '@heliograph/contract/carrier-quality/carrier-quality';
import { type App, mount } from '#platform/http/http';
import type { Retention } from '#platform/jobs/retention';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { QualityJudge } from './judge-quality.ts';
import { decisionPage, qualityHistory, qualityPage } from './list-quality.ts';

export { addQuality, QualitySums } from './quality-sums.ts';
export { type LinkQuality, QUALITY_VERSION, QualityTable, qualityOfVersion } from './quality-table.ts';

/** Slots are kept for four hundred days: a year and its comparison. */
export const qualityRetention: Retention = {
  table: 'carrier_quality',
  days: 400,
  since: 'slot',
  order: ['slot'],
  rows: 10_000,
};

/** Decisions are kept for as long as what they were made from. */
export const decisionRetention: Retention = {
  table: 'carrier_quality_decision',
  days: 400,
  since: 'decided_at',
  order: ['decided_at'],
  rows: 1_000,
};

/** Mounts the quality of links, its course, and the decisions that followed from it. */
export function carrierQualityRoutes(app: App): void {
  mount(app, carrierQuality, (ctx, { query }) => qualityPage(ctx, query));
  mount(app, carrierQualityHistory, (ctx, { query }) => qualityHistory(ctx, query));
  mount(app, carrierQualityDecisions, (ctx, { query }) => decisionPage(ctx, query));
}

/** Starts the judge of the quality of links. Returns a handle that stops it. */
export function judgeQuality(worker: WorkerContext): { stop(): Promise<void> } {
  const judge = new QualityJudge(worker);
  judge.start();
  return judge;
}
