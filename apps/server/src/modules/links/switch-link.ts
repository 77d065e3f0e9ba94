import type { enableLink } from '@heliograph/contract/links/link';
import { audit } from '#platform/access/audit';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import { links, sayNews } from './link.ts';

/** New values of each switch, and the states in which it has nothing to do. */
const SWITCHES = {
  enable: { to: { enabled: true, draining: false }, refuses: (_state: string, enabled: boolean) => enabled },
  disable: { to: { enabled: false, draining: false }, refuses: (state: string) => state === 'disabled' },
  drain: { to: { enabled: false, draining: true }, refuses: (_state: string, enabled: boolean) => !enabled },
} as const;

/** Switches a link on or off, or lets it drain; the senders follow within two seconds. */
export const switchLink =
  (name: keyof typeof SWITCHES): Handler<typeof enableLink> =>
  async (ctx, { params }) => {
    const { id } = params;
    const call = { params, query: {}, body: {} };
    const { data: before } = await links.get(ctx, call);
    const { to, refuses } = SWITCHES[name];
    if (refuses(before.state, before.enabled)) throw new BusinessError('invalid_transition');
    await ctx.db.updateTable('link').set(to).where('id', '=', id).execute();
    const { data } = await links.get(ctx, call);
    await audit(ctx, {
      name: 'links',
      description: name,
      subject_type: 'links',
      subject_id: id,
      before: { enabled: before.enabled, draining: before.state === 'draining' },
      after: to,
    });
    await sayNews(ctx, id);
    return { data, message: translate(ctx.locale, `link.said.${name}`, { name: data.name }) };
  };
