import type { explainRouting, RouteAction } from '@heliograph/contract/inbound-routing/routing';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import type { Handler } from '#platform/http/http';
import { type AliasOf, type InboundRule, numberOf, takeText } from './inbound-rules.ts';
import { firstWord, fold, type OptWord, optWordOf } from './opt-words.ts';

type Explained = ReplyOf<typeof explainRouting>['data'];
type Verdict = Explained['rules'][number]['verdict'];
type Row = Awaited<ReturnType<typeof rowsOf>>[number];

const rowsOf = (ctx: Context, number: string) =>
  ctx.db
    .selectFrom('routing_row')
    .select(['id', 'corporation_id', 'corporation_name', 'number', 'keyword', 'action', 'url', 'enabled', 'withheld'])
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
    .$narrowType<{ action: RouteAction; enabled: boolean; withheld: boolean }>()
    .execute();

/** Words of a rule in effect, of any corporation. */
interface Words {
  id: number;
  corporation_id: number;
  keyword: string | null;
  holds: boolean;
  aliases: string[];
}

/** Returns the rules in effect for a number: the caller's own in full, and only the words of others. */
async function inEffect(ctx: Context, number: string, rows: readonly Row[]) {
  const { rows: words } = await sql<Words>`SELECT * FROM routing_words(${number})`.execute(ctx.db);
  const own = new Map(rows.map((row) => [row.id, row]));
  const rules = words.map((each): InboundRule & { row: Row | null } => {
    const row = own.get(each.id) ?? null;
    const { valid_replies = [], valid_reply_message = null, invalid_reply_message = null } = row ?? {};
    return { ...each, valid_replies, valid_reply_message, invalid_reply_message, row };
  });
  const aliases = new Map(
    words.flatMap(({ corporation_id, keyword, aliases }) =>
      aliases.map((alias) => [`${corporation_id} ${alias}`, fold(keyword ?? '')]),
    ),
  );
  const aliasOf: AliasOf = (corporationId, word) => aliases.get(`${corporationId} ${word}`);
  return { rules, aliasOf };
}

/** Shows how a text would be routed, by the same rules that decide it. */
export const explainText: Handler<typeof explainRouting> = async (ctx, { query }) => {
  const number = numberOf(query.number);
  const rows = await rowsOf(ctx, number);
  const { rules, aliasOf } = await inEffect(ctx, number, rows);
  const taken = takeText(rules, query.text, aliasOf);
  const holders = rules.filter(({ holds }) => holds).map(({ corporation_id }) => corporation_id);
  const speaking = taken && taken.by !== 'catch_all' ? [taken.rule.corporation_id] : holders;
  const opt = optWordOf(query.text, await keywordsOf(ctx, speaking, number));
  const word = firstWord(query.text);
  const chosen = opt?.kind === 'opt_out' ? null : taken;
  const row = chosen?.rule.row ?? null;
  return {
    data: {
      number,
      word,
      opt: opt?.kind ?? null,
      rules: rows.map((each) => ({
        id: each.id,
        number: each.number,
        keyword: each.keyword,
        action: each.action,
        corporation_name: each.corporation_name,
        verdict: verdictOf(each, word, taken?.rule.id, opt),
      })),
      routing: row && { id: row.id, keyword: row.keyword, action: row.action, url: row.url },
      elsewhere: chosen !== null && row === null,
      alias_of: row && chosen?.by === 'alias' ? row.keyword : null,
      valid: row && chosen ? chosen.valid : null,
      answer: row && chosen ? chosen.answer : null,
    },
  };
};

/** Returns the words that opt out of the senders behind a number. */
async function keywordsOf(ctx: Context, corporations: readonly number[], number: string): Promise<Set<string>> {
  const rows = await ctx.db
    .selectFrom('sender_id')
    .select('optout_keyword')
    .where('enabled', '=', true)
    .where('withheld', '=', false)
    .where('optout_keyword', 'is not', null)
    .where((eb) => eb.or([eb('corporation_id', 'in', [0, ...corporations]), eb('sender_id', '=', number)]))
    .execute();
  return new Set(rows.map(({ optout_keyword }) => fold(optout_keyword ?? '')));
}

function verdictOf(row: Row, word: string, taken: number | undefined, opt: OptWord | null): Verdict {
  if (row.withheld) return 'withheld';
  if (!row.enabled) return 'disabled';
  if (taken === row.id) return opt?.kind === 'opt_out' ? 'opt_word' : 'chosen';
  if (row.keyword === null || fold(row.keyword) === word) return 'outdone';
  return 'keyword';
}
