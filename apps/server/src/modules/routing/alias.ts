import { alias } from '@heliograph/contract/routing/alias';
import { BusinessError, constraintError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http';
import { tableStore } from '#platform/table-store';
import { requireVisible } from '#platform/visible';

const stored = tableStore(alias, { table: 'alias', from: 'alias_row', searched: ['word', 'aliases'] });

/** A word of a corporation stands for one thing: the table of all words refuses a second. */
const guarded = <X>(work: Promise<X>): Promise<X> =>
  work.catch((error: unknown) => {
    if (error instanceof BusinessError) throw error;
    throw constraintError(error, { alias_word_pkey: 'aliases_already_exist' }) ?? error;
  });

/** Each word once, as it was first written. */
const distinct = (words: readonly string[]) => [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];

/** Words that mean the same as another one, by which replies find their route. */
export const aliases: ResourceHandlers<typeof alias> = {
  ...stored,
  async create(ctx, call) {
    await requireVisible(ctx, 'corporation', call.body.corporation_id, 'corporation_id');
    return guarded(stored.create(ctx, { ...call, body: { ...call.body, aliases: distinct(call.body.aliases) } }));
  },
  async update(ctx, call) {
    const { aliases: words, ...rest } = call.body;
    return guarded(stored.update(ctx, { ...call, body: words ? { ...rest, aliases: distinct(words) } : rest }));
  },
};
