import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { askedOfMe } from '@heliograph/contract/notifications/asked';
import type { Context } from '#platform/context';
import { type App, mount } from '#platform/http/http';

/** Source of requests that wait for the caller's decision. */
export type AskedSource = (ctx: Context) => Promise<ReplyOf<typeof askedOfMe>>;

/** Mounts the list of what others ask of the caller, from all sources. */
export function askedRoutes(app: App, sources: readonly AskedSource[]): void {
  mount(app, askedOfMe, async (ctx) => {
    // Support decides nothing for the person whose console it sees.
    if (ctx.caller.support) return [];
    const asked: ReplyOf<typeof askedOfMe> = [];
    for (const source of sources) asked.push(...(await source(ctx)));
    return asked;
  });
}
