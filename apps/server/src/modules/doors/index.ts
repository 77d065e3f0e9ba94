import type { PublicApi } from '#modules/api';
import { mountJasmin } from './jasmin.ts';
import { mountKannel } from './kannel.ts';
import { mountTwilio } from './twilio.ts';
import { mountVonage } from './vonage.ts';

/** Mounts the interfaces of other gateways. */
export function mountDoors(api: PublicApi): void {
  for (const mountDoor of [mountKannel, mountJasmin, mountTwilio, mountVonage]) mountDoor(api);
}
