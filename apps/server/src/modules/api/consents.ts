import { addConsent, listConsents } from '@heliograph/contract/api/consent';
import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import { optOut, requireNumber } from '#modules/contacts';
import { requirePermission } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { mountPublicOperation, type ProgramContext, type PublicApi } from './mount-public.ts';

/** Reads the events of a number, the latest first. */
async function eventsOf({ db }: ProgramContext, corporationId: number, number: string) {
  const rows = await db
    .selectFrom('consent_row')
    .select(['id', 'number', 'kind', 'source', 'sender_id_name', 'wording', 'proof', 'happened_at'])
    .where('corporation_id', '=', corporationId)
    .where('number', '=', number)
    .orderBy('happened_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id, sender_id_name, happened_at, kind, source, ...row }) => ({
    ...row,
    id: String(id),
    number,
    kind: kind as 'opt_in',
    source: source as 'api',
    from: sender_id_name,
    at: happened_at!,
  }));
}

async function senderOf({ db }: ProgramContext, corporationId: number, from: string): Promise<number> {
  const sender = await db
    .selectFrom('sender_id')
    .select('id')
    .where('corporation_id', '=', corporationId)
    .where('sender_id', '=', from)
    .executeTakeFirst();
  if (!sender) throw fieldError('from', 'not_visible');
  return sender.id;
}

/** Mounts the calls about people's consents. */
export function consentCalls(api: PublicApi): void {
  mountPublicOperation(api, listConsents, ({ holder, query, read }) =>
    read(async (ctx) => {
      if (ctx.is_test) return { data: [] };
      requirePermission(ctx.caller, 'consents-index');
      const number = plainDigits(query.number) ?? query.number;
      return { data: await eventsOf(ctx, holder.caller.corporation_id!, number) };
    }),
  );
  mountPublicOperation(api, addConsent, ({ holder, body, read }) =>
    read(async (ctx) => {
      if (ctx.is_test) throw new BusinessError('not_found');
      requirePermission(ctx.caller, 'consents-create');
      const corporation_id = holder.caller.corporation_id!;
      const user_id = ctx.caller.user_id;
      const number = await requireNumber(ctx, body.number);
      const now = ctx.clock.now();
      const at = body.at ? new Date(body.at) : now;
      if (at > now) throw fieldError('at', 'opted_in_at');
      if (body.kind === 'opt_out') {
        // Like one of a file: nobody ends it by hand.
        await optOut(ctx.db, { corporation_id, number, source: 'import', at, note: body.proof, user_id });
      } else {
        const sender_id_id = body.from === null ? null : await senderOf(ctx, corporation_id, body.from);
        const { kind, wording, proof } = body;
        const said = { kind, source: 'api', wording, proof, happened_at: at.toISOString() };
        await ctx.db
          .insertInto('consent_event')
          .values({ corporation_id, number, sender_id_id, user_id, ...said })
          .execute();
      }
      const events = await eventsOf(ctx, corporation_id, number);
      return events.find(({ kind }) => kind === body.kind)!;
    }),
  );
}
