import { addConversion } from '@heliograph/contract/api/conversion';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { recordConversion } from '#modules/campaigns';
import { requireNumber } from '#modules/contacts';
import { requirePermission } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { mountPublicOperation, type PublicApi } from './mount-public.ts';

/** Mounts the call by which programs report what people did after a message. */
export function conversionCalls(api: PublicApi): void {
  mountPublicOperation(api, addConversion, ({ holder, body, read }) =>
    read(async (ctx) => {
      if (ctx.is_test) throw new BusinessError('not_found');
      requirePermission(ctx.caller, 'contacts-edit');
      const { number, code, value, currency, reference, name } = body;
      if (number === undefined && code === undefined) throw fieldError('number', 'required');
      if (number !== undefined && code !== undefined) throw fieldError('code', 'number_or_code');
      if ((value === null) !== (currency === null)) throw fieldError(value === null ? 'value' : 'currency', 'required');
      const now = ctx.clock.now();
      const at = body.at ? new Date(body.at) : now;
      if (at > now) throw fieldError('at', 'conversion_time');
      const stored = await recordConversion(ctx, {
        corporation_id: holder.caller.corporation_id!,
        reference,
        name,
        number: number === undefined ? undefined : await requireNumber(ctx, number),
        code,
        value: value === null ? null : toThousandths(value),
        currency,
        at,
      });
      return {
        id: String(stored.id),
        name: stored.name,
        value: stored.value === null ? null : fromThousandths(stored.value),
        currency: stored.currency,
        at: stored.happened_at,
        created_at: stored.created_at,
      };
    }),
  );
}
