export { TopUpDialog } from './top-up-dialog.tsx';
