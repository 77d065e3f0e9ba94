import { httpDeliveries } from '@heliograph/contract/http-deliveries/http-delivery';
import { type App, mount } from '#platform/http/http';
import { listDeliveries } from './delivery-log.ts';

export { replayDelivery, webhookId } from './delivery-log.ts';
export { HttpSender } from './http-sender.ts';
export { type Attempt, type DeliveryKind, type Due, HELD_SECONDS, type Made, type Tried } from './kind.ts';

/** Mounts the log of all deliveries over HTTP. */
export function mountHttpDeliveries(app: App): void {
  mount(app, httpDeliveries, listDeliveries);
}
