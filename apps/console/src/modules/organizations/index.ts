export { useFirstRun } from './first-run.tsx';
