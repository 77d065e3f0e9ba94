export { sandboxRoutes } from './console.ts';
export { handsetMessages, handsets } from './handsets.ts';
export { replyFrom } from './reply-from.ts';
export { replyRetention, sandboxRetention, useRetention } from './retention.ts';
export { moveTime } from './test-time.ts';
