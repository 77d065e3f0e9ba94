import type { tryMapping } from '@heliograph/contract/links/http-calls';
import { callbackAddresses, tryHttpMapping } from '#modules/delivery';
import { requirePlatform } from '#platform/context';
import type { Handler } from '#platform/http/http';

/** Key in the addresses that a try shows: the real one is not shown. */
const NO_KEY = '00000000-0000-0000-0000-000000000000';

/** Tries a mapping without calling anybody. */
export const runTryMapping: Handler<typeof tryMapping> = async (ctx, { body }) => {
  requirePlatform(ctx.caller);
  return { data: tryHttpMapping(body, callbackAddresses(ctx.config, NO_KEY), ctx.clock.now().getTime()) };
};
