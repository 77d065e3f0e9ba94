import { alias } from '@heliograph/contract/inbound-routing/alias';
import { requireVisible } from '#platform/access/visible';
import { BusinessError, constraintError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { fold } from './opt-words.ts';

const stored = tableStore(alias, { table: 'alias', from: 'alias_row', searched: ['word', 'aliases'] });

/** Converts the database's refusal of a duplicate word into an error. In a corporation a word has only one meaning. */
const guarded = <X>(work: Promise<X>): Promise<X> =>
  work.catch((error: unknown) => {
    if (error instanceof BusinessError) throw error;
    throw constraintError(error, { alias_word_pkey: 'aliases_already_exist' }) ?? error;
  });

/** Removes repeated words; each stays as it was first written. */
const distinct = (words: readonly string[]) => [...new Map(words.map((word) => [fold(word), word])).values()];

/** Throws a 422 if a word is among its own aliases. */
function requireOthers(word: string, words: readonly string[]): void {
  const same = words.find((each) => fold(each) === fold(word));
  if (same !== undefined) throw fieldError('aliases', 'alias_is_word', { word: same });
}

/** Words that mean the same as another one, by which replies find their route. */
export const aliases: ResourceHandlers<typeof alias> = {
  ...stored,
  async create(ctx, call) {
    await requireVisible(ctx, 'corporation', call.body.corporation_id, 'corporation_id');
    requireOthers(call.body.word, call.body.aliases);
    return guarded(stored.create(ctx, { ...call, body: { ...call.body, aliases: distinct(call.body.aliases) } }));
  },
  async update(ctx, call) {
    const { aliases: words, ...rest } = call.body;
    const { data: before } = await stored.get(ctx, call);
    if (rest.word !== undefined || words !== undefined)
      requireOthers(rest.word ?? before.word, words ?? before.aliases);
    return guarded(stored.update(ctx, { ...call, body: words ? { ...rest, aliases: distinct(words) } : rest }));
  },
};
