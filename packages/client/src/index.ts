export { ApiError, ConnectionError, HeliographError, WebhookError } from './errors.ts';
export type { StreamedEvent, StreamOptions } from './event-stream.ts';
export type { ConversationFilter, MessageFilter } from './filters.ts';
export {
  type Conversation,
  type ConversationMessage,
  type FeedEvent,
  Heliograph,
  type InboundMessage,
  type Message,
  type SendOptions,
} from './heliograph.ts';
export type { CallOptions, ClientOptions } from './http.ts';
export type { FollowOptions, Page, Pages, ReadOptions } from './pages.ts';
export type * from './types.ts';
export type { Verification, Verify } from './verify.ts';
export { type CallbackEvent, type VerifiedCallback, verifyWebhook, type WebhookHeaders } from './webhook.ts';
