export { mountKannel } from './kannel.ts';
