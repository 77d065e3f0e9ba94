import type { Context } from '#platform/context';
import { oneOfSeveral } from '#platform/database/one-of-several';
import { translate } from '#platform/text/i18n';

/** Result of the decision about one record: the error that refused it, or null. */
interface Decided {
  id: number;
  error_code: string | null;
  message: string | null;
}

/**
 * Decides about several records, each by itself: a refusal undoes only that decision. Returns their results in the order
 * of `ids`.
 */
export async function decideEach(
  ctx: Context,
  ids: readonly number[],
  decide: (id: number) => Promise<void>,
): Promise<{ data: Decided[] }> {
  const results = new Map<number, string | null>();
  // One fixed order, so that two people who decide about the same do not wait for each other in a circle.
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const error = await oneOfSeveral(ctx.db, () => decide(id));
    results.set(id, error?.code ?? null);
  }
  return {
    data: ids.map((id) => {
      const error_code = results.get(id) ?? null;
      return { id, error_code, message: error_code && translate(ctx.locale, `errors.${error_code}` as never) };
    }),
  };
}
