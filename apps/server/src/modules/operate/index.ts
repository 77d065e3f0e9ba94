export { examine } from './doctor/examine.ts';
export type { Finding } from './doctor/finding.ts';
export { holdAfterRestore, holdOf, releaseHold } from './hold.ts';
export { bookLines, restoreInstallation, tryBackup } from './restore-installation.ts';
