import type { Kysely } from 'kysely';
import { optIns, optOuts } from '#modules/contacts';
import type { Database } from '#platform/database/db';
import { translate } from '#platform/text/i18n';
import type { InboundPlan, OptPlan } from './plan-inbound.ts';

/** Result of a word that opts out or in, and the answers that corporations send to the phone. */
export interface OptOutcome {
  handled: OptPlan['kind'];
  answers: { corporation: number; text: string }[];
}

/** Word to one corporation. */
interface Word {
  plan: InboundPlan;
  opt: OptPlan;
  corporation_id: number;
}

/**
 * Opts phones out of corporations, or back in, in the order of their messages, and returns the answers. A new opt-out
 * is confirmed once, and so is its end. START from a phone that never opted out changes nothing. It has no outcome and
 * is a normal reply.
 */
export async function applyOptWords(
  db: Kysely<Database>,
  plans: readonly InboundPlan[],
): Promise<Map<InboundPlan, OptOutcome>> {
  const words = plans.flatMap((plan) => {
    const { opt } = plan;
    return opt && !plan.loop ? opt.corporations.map((corporation_id): Word => ({ plan, opt, corporation_id })) : [];
  });
  const changed = new Map<InboundPlan, number[]>(words.map(({ plan }) => [plan, []]));
  for (const turn of turnsOf(words)) {
    for (const [kind, said] of Map.groupBy(turn, ({ opt }) => opt.kind)) {
      const news = kind === 'opt_out' ? await optOuts(db, said.map(outOf)) : await optIns(db, said.map(wordOf));
      for (const [place, { plan, corporation_id }] of said.entries())
        if (news[place]) changed.get(plan)!.push(corporation_id);
    }
  }
  return outcomesOf(changed, await namesOf(db, new Set([...changed.values()].flat())));
}

/** Groups words into turns. Words of one phone to one corporation come one after another; others may share a turn. */
function turnsOf(words: readonly Word[]): Word[][] {
  const turns: Word[][] = [];
  for (const said of Map.groupBy(words, ({ plan, corporation_id }) => `${corporation_id} ${plan.oa}`).values())
    for (const [place, word] of said.entries()) {
      const turn = turns[place];
      if (turn) turn.push(word);
      else turns.push([word]);
    }
  return turns;
}

const wordOf = ({ plan: { inbound, oa }, corporation_id }: Word) => ({
  corporation_id,
  number: oa,
  at: new Date(inbound.received_at),
  message: inbound.text,
  inbound_message_id: inbound.id,
});

const outOf = (word: Word) => ({
  ...wordOf(word),
  source: 'message' as const,
  recipient: word.plan.number,
  keyword: word.opt.word,
  sender_id_id: word.opt.sender_id_id,
});

async function namesOf(db: Kysely<Database>, ids: ReadonlySet<number>): Promise<Map<number, string>> {
  if (ids.size === 0) return new Map();
  const rows = await db
    .selectFrom('corporation')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function outcomesOf(
  changed: ReadonlyMap<InboundPlan, readonly number[]>,
  names: ReadonlyMap<number, string>,
): Map<InboundPlan, OptOutcome> {
  const outcomes = new Map<InboundPlan, OptOutcome>();
  for (const [plan, corporations] of changed) {
    const { kind, locale } = plan.opt!;
    if (kind === 'opt_in' && corporations.length === 0) continue;
    const answers = corporations.map((corporation) => ({
      corporation,
      text: translate(locale, `inbox.sms.${kind}`, { name: names.get(corporation)! }),
    }));
    outcomes.set(plan, { handled: kind, answers });
  }
  return outcomes;
}
