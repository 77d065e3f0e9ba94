export { latencyText } from './latency-text.ts';
export { QualityDecisions } from './quality-decisions.tsx';
