import { contactValues } from '@heliograph/contract/campaigns/contact-values';
import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import { type App, mount } from '#platform/http/http';
import { readNumberRules } from '#platform/operator/number-rules';
import { findSending } from './check-content.ts';
import { usableFields, valuesOfContacts } from './contact-placeholders.ts';

/** Mounts the values of some recipients, for a preview. */
export function contactValuesRoute(app: App): void {
  mount(app, contactValues, async (ctx, { body }) => {
    const { corporation_id } = (await findSending(ctx, body.sender_id)).sending;
    const rules = await readNumberRules(ctx.db);
    const numbers = body.numbers.map((number) => checkNumber(number, rules).msisdn ?? '');
    const find = valuesOfContacts(await usableFields(ctx, corporation_id), corporation_id);
    const found = await find?.(ctx.db, numbers);
    const filled = (number: string) =>
      Object.entries(found?.get(number) ?? {}).flatMap(([key, value]) => (value ? [[key, value] as const] : []));
    return { data: numbers.map((number) => Object.fromEntries(filled(number))) };
  });
}
