export { mountJasmin } from './jasmin.ts';
export { mountKannel } from './kannel.ts';
export { mountTwilio } from './twilio.ts';
export { mountVonage } from './vonage.ts';
