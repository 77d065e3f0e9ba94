export { startSimulator } from './simulator.ts';
export type { Simulator, SimulatorOptions } from './simulator.ts';
export type { SimulatorSettings } from './settings.ts';
export type { AcceptedSegment, LogPage } from './segment-log.ts';
