export { mountJasmin } from './jasmin.ts';
export { mountKannel } from './kannel.ts';
