import type { linkLimits, setLinkLimits } from '@heliograph/contract/carrier-routes/carrier-route';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { translate } from '#platform/text/i18n';

type Limits = ReplyOf<typeof linkLimits>['data'];

async function read({ db }: Context, id: number): Promise<Limits> {
  const { rows } = await sql<Limits>`
    SELECT l.commitment, l.cap, (
      SELECT coalesce(sum(d.used), 0)::int FROM link_day d WHERE d.link_id = k.id AND d.day = platform_now()::date) AS used
    FROM link_row k LEFT JOIN link_limit l ON l.link_id = k.id WHERE k.id = ${id}`.execute(db);
  if (!rows[0]) throw new BusinessError('not_found');
  return rows[0];
}

/** Shows the limits of a link and their use today. */
export const showLinkLimits: Handler<typeof linkLimits> = async (ctx, { params }) => ({
  data: await read(ctx, params.id),
});

/** Sets the limits of a link. */
export const changeLinkLimits: Handler<typeof setLinkLimits> = async (ctx, { params: { id }, body }) => {
  const { used: _, ...before } = await read(ctx, id);
  const { commitment, cap } = body;
  if (commitment !== null && cap !== null && commitment > cap) throw fieldError('commitment', 'commitment_above_cap');
  if (commitment === null && cap === null) await ctx.db.deleteFrom('link_limit').where('link_id', '=', id).execute();
  else
    await ctx.db
      .insertInto('link_limit')
      .values({ link_id: id, commitment, cap })
      .onConflict((on) => on.column('link_id').doUpdateSet({ commitment, cap }))
      .execute();
  await audit(ctx, {
    name: 'links',
    description: 'limits_set',
    subject_type: 'links',
    subject_id: id,
    before,
    after: body,
  });
  return { data: await read(ctx, id), message: translate(ctx.locale, 'link_limits.saved') };
};
