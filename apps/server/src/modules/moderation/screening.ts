import { type Kysely, sql } from 'kysely';
import { readNetworks } from '#modules/networks';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { findHosts } from './find-links.ts';
import { folded, patternIn, patternOf } from './text-pattern.ts';

/** Rule that holds a text. */
export interface HoldingRule {
  id: number;
  name: string;
}

/** Text as rules see it. */
export interface ScreenedText {
  text: string;
  /** Messages of its campaign or call. */
  messages: number;
  /** Number it is for, as digits; empty for none, which is in no network. */
  msisdn: string;
}

/** Rules for the texts of one sender ID. */
export interface Screening {
  /** True if a rule asks for the network of the number; otherwise a text is the same for every number. */
  byNetwork: boolean;
  /** Returns the network of a number by its first digits; 0 for none. */
  networkOf(msisdn: string): number;
  /** Returns the first rule that holds a text; null if none does, or another rule lets it pass. */
  holds(screened: ScreenedText): HoldingRule | null;
  /** Returns the first rule that lets such a text pass, and the first that would hold it. */
  explain(screened: ScreenedText): { passing: HoldingRule | null; holding: HoldingRule | null };
}

/** Finds the network of a number by its first digits. */
type NetworkOf = (msisdn: string) => { id: number } | null;

interface RuleRow extends HoldingRule {
  action: string;
  traffic: string;
  corporation_id: number | null;
  network_id: number | null;
  sender: string | null;
  words: string[];
  web_address: boolean;
  min_messages: number | null;
  new_days: number | null;
}

/** Rules of moderation, as they were read. Nothing is compiled for sender IDs that no rule can hold. */
export class Moderation {
  readonly #rules: readonly RuleRow[];
  /** Days since sender IDs were added, by corporation and name, of those that a rule may call new. */
  readonly #ages: ReadonlyMap<string, number>;
  readonly #networkOf: NetworkOf;
  readonly #screenings = new Map<string, Screening | null>();

  /** `networkOf` is needed if a rule names a network. */
  constructor(rules: readonly RuleRow[], ages: ReadonlyMap<string, number>, networkOf: NetworkOf = () => null) {
    this.#rules = rules;
    this.#ages = ages;
    this.#networkOf = networkOf;
  }

  /** Returns the rules for the texts of a sender ID; null if none can hold them, which costs nothing for each text. */
  of(traffic: 'campaigns' | 'programs', corporation_id: number, sender: string): Screening | null {
    if (this.#rules.length === 0) return null;
    const key = `${traffic} ${corporation_id} ${sender}`;
    let screening = this.#screenings.get(key);
    if (screening === undefined) {
      screening = this.#compile(traffic, corporation_id, sender);
      this.#screenings.set(key, screening);
    }
    return screening;
  }

  #compile(traffic: string, corporation_id: number, sender: string): Screening | null {
    const age = this.#ages.get(`${corporation_id} ${sender}`) ?? Number.POSITIVE_INFINITY;
    const mine = this.#rules.filter(
      (rule) =>
        (rule.traffic === 'all' || rule.traffic === traffic) &&
        (rule.corporation_id ?? corporation_id) === corporation_id &&
        (rule.sender === null || patternOf(rule.sender)(sender)) &&
        (rule.new_days === null || age < rule.new_days),
    );
    if (!mine.some(({ action }) => action === 'hold')) return null;
    const compiled = mine.map((rule) => ({ rule, words: rule.words.map(patternIn) }));
    const byAction = (wanted: string) => compiled.filter(({ rule }) => rule.action === wanted);
    const [passing, holding] = [byAction('pass'), byAction('hold')];
    const networkOf = (msisdn: string) => this.#networkOf(msisdn)?.id ?? 0;
    const fitting = ({ text, messages, msisdn }: ScreenedText) => {
      const plain = folded(text);
      let hasHost: boolean | undefined;
      return ({ rule, words }: (typeof compiled)[number]) =>
        (rule.network_id === null || rule.network_id === networkOf(msisdn)) &&
        messages >= (rule.min_messages ?? 0) &&
        (words.length === 0 || words.some((isIn) => isIn(plain))) &&
        // biome-ignore lint/suspicious/noAssignInExpressions: found once, and only if a rule asks.
        (!rule.web_address || (hasHost ??= findHosts(text).length > 0));
    };
    const named = (found: (typeof compiled)[number] | undefined) =>
      found ? { id: found.rule.id, name: found.rule.name } : null;
    return {
      byNetwork: mine.some(({ network_id }) => network_id !== null),
      networkOf,
      holds: (screened) => {
        const fits = fitting(screened);
        return passing.some(fits) ? null : named(holding.find(fits));
      },
      explain: (screened) => {
        const fits = fitting(screened);
        return { passing: named(passing.find(fits)), holding: named(holding.find(fits)) };
      },
    };
  }
}

const NONE = new Moderation([], new Map());

/** Reads the rules of moderation. Without an enabled rule this is one short question. */
export async function readModeration(db: Kysely<Database>): Promise<Moderation> {
  const rules = await db.selectFrom('moderation_rule').selectAll().where('enabled', '=', true).orderBy('id').execute();
  if (!rules.some(({ action }) => action === 'hold')) return NONE;
  const days = Math.max(0, ...rules.map(({ new_days }) => new_days ?? 0));
  const ages = new Map<string, number>();
  if (days > 0) {
    const { rows } = await sql<{ corporation_id: number; sender_id: string; days: number }>`
      SELECT corporation_id, sender_id, (extract(epoch FROM now() - created_at) / 86400)::float8 AS days
      FROM sender_id WHERE created_at > now() - ${days} * interval '1 day'`.execute(db);
    for (const row of rows) ages.set(`${row.corporation_id} ${row.sender_id}`, row.days);
  }
  if (rules.every(({ network_id }) => network_id === null)) return new Moderation(rules, ages);
  const networks = await readNetworks((text, values) => rowsOf(db, text, values));
  return new Moderation(rules, ages, (msisdn) => networks.networkOf(msisdn));
}
