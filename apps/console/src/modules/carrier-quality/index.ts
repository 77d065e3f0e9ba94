export { latencyText } from './latency-text.ts';
export { DecisionList } from './quality-decisions.tsx';
