import type { Locale } from '@heliograph/contract/kernel/scope';
import { fold, numberOf, optWordOf, type Rule, readAliases, readRules, takeText } from '#modules/inbound-routing';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { findSendings, type LastSending } from './last-sending.ts';

/** Message from a phone, as the sender process stored it. */
export interface Inbound {
  id: number;
  link_id: number;
  sender: string;
  recipient: string;
  text: string;
  is_binary: boolean;
  parts: number;
  total: number;
  parameters: Record<string, string> | null;
  received_at: string;
}

/** Opt-out or its end, as a text asked for it. */
export interface OptPlan {
  kind: 'opt_out' | 'opt_in';
  word: string;
  locale: Locale;
  /** Corporations that the phone opts out of or into: those that its last message or their own word points to. */
  corporations: number[];
  /** Sender ID that the keyword belongs to. */
  sender_id_id: number | null;
}

/** Plan for a message: all facts that are known before anything is written. */
export interface InboundPlan {
  inbound: Inbound;
  /** Phone's number, with digits only if it is a phone number. */
  oa: string;
  number: string;
  /** Null if nobody owns the number. */
  corporation_id: number | null;
  rule: Rule | null;
  keyword: string | null;
  valid: boolean | null;
  answer: string | null;
  opt: OptPlan | null;
  /** True if the message came from one of our own numbers. It gets no answer. */
  loop: boolean;
  /** Campaign that the message answers, with its owner. */
  sending: LastSending | null;
}

interface Sender {
  id: number;
  corporation_id: number;
  sender_id: string;
  optout_keyword: string | null;
}

// Senders with the name that the phone wrote to, and those senders of the number's corporations that have their own
// opt-out word.
const SENDERS = `
  SELECT id, corporation_id, sender_id, optout_keyword FROM sender_id
  WHERE enabled AND NOT withheld AND upper(sender_id) = ANY ($1::text[])
  UNION
  SELECT id, corporation_id, sender_id, optout_keyword FROM sender_id
  WHERE enabled AND NOT withheld AND corporation_id = ANY ($2::bigint[]) AND optout_keyword IS NOT NULL
  ORDER BY id`;

const OWN = `
  SELECT number FROM routing WHERE number = ANY ($1::text[])
  UNION SELECT upper(sender_id) FROM sender_id WHERE upper(sender_id) = ANY ($1::text[])`;

/** Plans each message. Reads only, and writes nothing. */
export async function planInbound(db: Queryable, messages: readonly Inbound[], now: Date): Promise<InboundPlan[]> {
  const numbers = messages.map(({ recipient }) => numberOf(recipient));
  const phones = messages.map(({ sender }) => numberOf(sender));
  const rules = await readRules(db, numbers);
  const ruled = [...rules.values()].flat();
  const senders = await rowsOf<Sender>(db, SENDERS, [
    [...new Set(numbers)],
    [...new Set(ruled.map(({ corporation_id }) => corporation_id))],
  ]);
  const named = Map.groupBy(senders, ({ sender_id }) => sender_id.toUpperCase());
  const aliasOf = await readAliases(
    db,
    ruled.map(({ corporation_id }) => corporation_id),
  );
  const own = new Set((await rowsOf<{ number: string }>(db, OWN, [[...new Set(phones)]])).map(({ number }) => number));
  const sendings = await findSendings(
    db,
    messages.map((_, place) => {
      const number = numbers[place]!;
      const masks = (rules.get(number) ?? []).flatMap(({ sender }) => sender ?? []);
      return { msisdn: phones[place]!, senders: [...new Set([number, ...masks.map((mask) => mask.toUpperCase())])] };
    }),
    now,
  );
  return messages.map((inbound, place): InboundPlan => {
    const [number, oa, sending] = [numbers[place]!, phones[place]!, sendings[place] ?? null];
    const here = rules.get(number) ?? [];
    const owners = [...new Set([...here, ...(named.get(number) ?? [])].map(({ corporation_id }) => corporation_id))];
    const taken = inbound.is_binary
      ? takeText(
          here.filter(({ keyword }) => keyword === null),
          '',
          () => undefined,
        )
      : takeText(here, inbound.text, aliasOf);
    const speaking = mayOptOut(here, named.get(number) ?? [], taken, sending);
    const about = senders.filter(({ corporation_id }) => speaking.includes(corporation_id));
    // Only a phone can opt out. A text from a name is read but cannot opt out.
    const opt = inbound.is_binary || !/^\d+$/.test(oa) ? null : optOf(inbound.text, owners, about, sending);
    // Without a rule a message goes to the corporation that has the whole number; one with keywords only gets no other.
    const whole = new Set(
      [...here.filter(({ holds }) => holds), ...(named.get(number) ?? [])].map((each) => each.corporation_id),
    );
    const corporation_id =
      taken?.rule.corporation_id ?? opt?.corporations[0] ?? (whole.size === 1 ? [...whole][0]! : null);
    return {
      inbound,
      oa,
      number,
      corporation_id,
      rule: taken?.rule ?? null,
      keyword: taken?.by === 'catch_all' ? null : (taken?.rule.keyword ?? null),
      valid: inbound.is_binary ? null : (taken?.valid ?? null),
      answer: inbound.is_binary ? null : (taken?.answer ?? null),
      opt,
      loop: own.has(oa),
      sending: sending?.corporation_id === corporation_id ? sending : null,
    };
  });
}

/**
 * Returns the corporations that may define opt-out words for a text. If a keyword takes the text, it is the keyword's
 * corporation. Otherwise it is those that hold the number, and the one that the phone last heard from. A word of one
 * corporation takes no text from another.
 */
function mayOptOut(
  here: readonly Rule[],
  named: readonly Sender[],
  taken: { rule: Rule; by: string } | null,
  sending: LastSending | null,
): number[] {
  if (taken && taken.by !== 'catch_all') return [taken.rule.corporation_id];
  const holders = [...here.filter(({ holds }) => holds), ...named].map(({ corporation_id }) => corporation_id);
  return sending ? [...holders, sending.corporation_id] : holders;
}

function optOf(
  text: string,
  owners: readonly number[],
  senders: readonly Sender[],
  sending: LastSending | null,
): OptPlan | null {
  if (owners.length === 0) return null;
  const keywords = new Map(senders.flatMap((each) => (each.optout_keyword ? [[fold(each.optout_keyword), each]] : [])));
  const opt = optWordOf(text, new Set(keywords.keys()));
  if (!opt) return null;
  const own = keywords.get(opt.word);
  const last = owners.find((id) => id === sending?.corporation_id);
  const corporations = own ? [own.corporation_id] : last ? [last] : [...owners];
  return { ...opt, corporations, sender_id_id: own?.id ?? null };
}
