export { type CarrierLog, type CarrierSegment, readCarrierLog } from './carrier-log.ts';
export { type Chaos, type ChaosProxy, type Direction, startChaosProxy } from './chaos-proxy.ts';
export { type Random, seededRandom, seedOf } from './random.ts';
export { until } from './until.ts';
export { startVictim, type Victim } from './victim.ts';
