import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { explainRouting } from '@heliograph/contract/routing/routing';
import type { Context } from '#platform/context';
import type { Handler } from '#platform/http';
import { numberOf, type Taken, takeText } from './inbound-rules.ts';
import { firstWord, fold, type OptWord, optWordOf } from './opt-words.ts';
import { readAliases } from './read-rules.ts';

type Explained = ReplyOf<typeof explainRouting>['data'];
type Verdict = Explained['rules'][number]['verdict'];
type Row = Awaited<ReturnType<typeof rowsOf>>[number];

const rowsOf = (ctx: Context, number: string) =>
  ctx.db
    .selectFrom('routing_row')
    .select(['id', 'corporation_id', 'corporation_name', 'number', 'keyword', 'action', 'url', 'enabled'])
    .select(['valid_replies', 'valid_reply_message', 'invalid_reply_message'])
    .where('number', '=', number)
    .orderBy('id')
    .limit(200)
    .$narrowType<{
      id: number;
      corporation_id: number;
      corporation_name: string;
      number: string;
      valid_replies: string[];
    }>()
    .$narrowType<{ action: 'inbox' | 'url'; enabled: boolean }>()
    .execute();

/** Shows what would become of a text, by the very rules that decide it. */
export const explainText: Handler<typeof explainRouting> = async (ctx, { query }) => {
  const number = numberOf(query.number);
  const rows = await rowsOf(ctx, number);
  const corporations = [...new Set(rows.map(({ corporation_id }) => corporation_id))];
  const aliasOf = await readAliases(ctx.db, corporations);
  const opt = optWordOf(query.text, await keywordsOf(ctx, corporations, number));
  const taken = takeText(
    rows.filter(({ enabled }) => enabled),
    query.text,
    aliasOf,
  );
  const word = firstWord(query.text);
  const chosen = opt?.kind === 'opt_out' ? null : taken;
  return {
    data: {
      number,
      word,
      opt: opt?.kind ?? null,
      rules: rows.map((row) => ({
        id: row.id,
        number: row.number,
        keyword: row.keyword,
        action: row.action,
        corporation_name: row.corporation_name,
        verdict: verdictOf(row, word, taken, opt),
      })),
      routing: chosen && {
        id: chosen.rule.id,
        keyword: chosen.rule.keyword,
        action: chosen.rule.action,
        url: chosen.rule.url,
      },
      alias_of: chosen?.by === 'alias' ? chosen.rule.keyword : null,
      valid: chosen?.valid ?? null,
      answer: chosen?.answer ?? null,
    },
  };
};

/** The words by which the senders behind a number are opted out of. */
async function keywordsOf(ctx: Context, corporations: readonly number[], number: string): Promise<Set<string>> {
  const rows = await ctx.db
    .selectFrom('sender_id')
    .select('optout_keyword')
    .where('enabled', '=', true)
    .where('optout_keyword', 'is not', null)
    .where((eb) => eb.or([eb('corporation_id', 'in', [0, ...corporations]), eb('sender_id', '=', number)]))
    .execute();
  return new Set(rows.map(({ optout_keyword }) => fold(optout_keyword ?? '')));
}

function verdictOf(row: Row, word: string, taken: Taken<Row> | null, opt: OptWord | null): Verdict {
  if (!row.enabled) return 'disabled';
  if (taken?.rule === row) return opt?.kind === 'opt_out' ? 'opt_word' : 'chosen';
  if (row.keyword === null || fold(row.keyword) === word) return 'outdone';
  return 'keyword';
}
