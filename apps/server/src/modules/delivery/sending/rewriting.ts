import { countParts, segment, toGsm } from '@heliograph/contract/kernel/segments';
import {
  type NumberRule,
  originalNumber,
  parseNumberRule,
  parseSenderRule,
  parseTextRule,
  rewriteNumber,
  type SenderRule,
  type TextRule,
} from '@heliograph/contract/links/rewriting';
import type { NetworkTable } from '#modules/networks';
import type { Link } from './link.ts';

/** Rules of a link. */
type Rules = Pick<Partial<Link>, 'number_rules' | 'sender_rules' | 'text_rules'>;

/** Finds the network of a number; null if it is unknown. */
export type NetworkOf = (msisdn: string) => ReturnType<NetworkTable['networkOf']>;

/** A rule and whether it changed the text; `too_long` if the text would then have other parts than were quoted. */
export interface TriedTextRule {
  rule: number;
  result: 'changed' | 'unchanged' | 'too_long';
}

const read = <Rule>(lines: readonly string[] = [], parse: (line: string) => Rule | undefined): Rule[] =>
  lines.map(parse).filter((rule) => rule !== undefined);

/** Rewriting of numbers, senders and texts on one link, compiled once for its settings. */
export class Rewriting {
  readonly #numbers: readonly NumberRule[];
  readonly #senders: readonly SenderRule[];
  readonly #texts: readonly TextRule[];
  readonly #networkOf: NetworkOf;

  private constructor(rules: Rules, networkOf: NetworkOf) {
    this.#numbers = read(rules.number_rules, parseNumberRule);
    this.#senders = read(rules.sender_rules, parseSenderRule);
    this.#texts = read(rules.text_rules, parseTextRule);
    this.#networkOf = networkOf;
  }

  /** Compiles the rules of a link; undefined if it has none. */
  static of(rules: Rules, networkOf: NetworkOf): Rewriting | undefined {
    const lists = [rules.number_rules, rules.sender_rules, rules.text_rules];
    return lists.some((list) => list && list.length > 0) ? new Rewriting(rules, networkOf) : undefined;
  }

  /** Whether senders differ between the messages of a chunk. */
  get hasSenders(): boolean {
    return this.#senders.length > 0;
  }

  /** Returns a recipient's number as the carrier wants it, and the rule that made it so. */
  number(msisdn: string): ReturnType<typeof rewriteNumber> {
    return rewriteNumber(this.#numbers, msisdn);
  }

  /** Returns the original of a number that a carrier wrote. */
  original(written: string): string {
    return originalNumber(this.#numbers, written);
  }

  /** Returns the sender ID that a number is sent from, and the rule that chose it; null for none. */
  sender(senderId: string, msisdn: string): { sender: string; rule: number | null } {
    let code: string | undefined;
    for (const [place, { sender, network, to }] of this.#senders.entries()) {
      if (sender !== '*' && sender !== senderId) continue;
      if (network.includes('-')) code ??= this.#codeOf(msisdn);
      const fits = network.includes('-') ? network === code : msisdn.startsWith(network);
      if (fits) return { sender: to, rule: place };
    }
    return { sender: senderId, rule: null };
  }

  #codeOf(msisdn: string): string {
    const network = this.#networkOf(msisdn);
    return network?.mcc == null ? '' : `${network.mcc}-${network.mnc}`;
  }

  /**
   * Returns our number to which a reply was meant: the only sender ID, itself a number, that rules replace by the number
   * that the phone answered.
   */
  originalRecipient(recipient: string): string {
    const names = new Set(this.#senders.filter(({ to }) => to === recipient).map(({ sender }) => sender));
    const [only] = names;
    return names.size === 1 && /^\d+$/.test(only!) ? only! : recipient;
  }

  /**
   * Returns a text as it leaves. A rule is left out where the text would then need more parts than were quoted, or has
   * fewer characters than parts. `tried` gets the result of each rule.
   */
  text(given: string, counted: number, tried?: TriedTextRule[]): string {
    let text = given;
    for (const [rule, each] of this.#texts.entries()) {
      const next = changed(text, each);
      const fits = countParts(next).parts <= counted && next.length >= counted;
      tried?.push({ rule, result: next === text ? 'unchanged' : fits ? 'changed' : 'too_long' });
      if (fits) text = next;
    }
    return text;
  }
}

function changed(text: string, rule: TextRule): string {
  switch (rule.kind) {
    case 'append':
      return text + rule.text;
    case 'replace':
      // A function, because `$` means more than itself in a text.
      return text.replaceAll(rule.from, () => rule.to);
    case 'transliterate':
      return transliterated(text);
  }
}

/** Latin letters of Cyrillic ones. */
const CYRILLIC: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'а a б b в v г g ґ g д d е e ё yo є ye ж zh з z и i і i ї yi й y к k л l м m н n о o п p р r с s т t у u ф f х kh ' +
    'ц ts ч ch ш sh щ shch ъ _ ы y ь _ э e ю yu я ya'
  )
    .split(' ')
    .map((each, place, all) => [each, all[place + 1]?.replace('_', '') ?? ''])
    .filter((_, place) => place % 2 === 0),
);
const MARKS = /\p{M}+/gu;

/** Writes a text in the alphabet of GSM as far as its letters have a Latin form. */
function transliterated(text: string): string {
  let out = '';
  for (const character of toGsm(text)) {
    const lower = character.toLowerCase();
    const latin = CYRILLIC[lower];
    if (latin !== undefined) out += lower === character ? latin : latin.charAt(0).toUpperCase() + latin.slice(1);
    else out += countParts(character).encoding === 'gsm' ? character : plain(character);
  }
  return out;
}

function plain(character: string): string {
  const bare = character.normalize('NFKD').replace(MARKS, '');
  return bare !== '' && countParts(bare).encoding === 'gsm' ? bare : character;
}

/**
 * Cuts a rewritten text into exactly as many parts as were quoted, so that every part has its answer and its price. The
 * longest part is halved while there are too few.
 */
export function cutInto(text: string, count: number): string[] {
  const { parts } = segment(text);
  while (parts.length < count) {
    const longest = parts.reduce((best, part, place) => (part.length > parts[best]!.length ? place : best), 0);
    const part = parts[longest]!;
    const half = Math.ceil(part.length / 2);
    const isInPair = /[\ud800-\udbff]/.test(part[half - 1] ?? '');
    const at = isInPair ? half + 1 : half;
    parts.splice(longest, 1, part.slice(0, at), part.slice(at));
  }
  return parts;
}
