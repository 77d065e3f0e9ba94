export { holdAfterRestore, holdOf, releaseHold } from './hold.ts';
export { bookLines, restoreInstallation, tryBackup } from './restore-installation.ts';
