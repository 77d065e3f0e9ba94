export { HttpSender } from './http-sender.ts';
export { type Attempt, type DeliveryKind, type Due, HELD_SECONDS, type Made, type Tried } from './kind.ts';
export { replayDelivery } from './replay-delivery.ts';
