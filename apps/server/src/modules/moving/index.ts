export { applyPlan, StepRefused } from './apply.ts';
export { type Calls, callsThrough } from './calls.ts';
export { moveFromKannel } from './move-in/kannel.ts';
export type { Moved, MoveInOptions } from './move-in/moved.ts';
export { type ExtraStep, FaultyDocument, makePlan, type Plan } from './plan.ts';
export { readDocument } from './read-document.ts';
export { changesAnything, countsOf, nameOf, showPlan } from './show-plan.ts';
export { writeInstallation } from './write-document.ts';
