export type { SimulatorCounts } from './counts.ts';
export type { HandsetMessage } from './handset.ts';
export { startEnumServer } from './lookup.ts';
export { MAGIC_NUMBERS, type Outcome } from './outcome.ts';
export type { ProfileName } from './profile.ts';
export type { AcceptedSegment, LogPage } from './segment-log.ts';
export type { SettingsChange, SimulatorSettings } from './settings.ts';
export { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts';
