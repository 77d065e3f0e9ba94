import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import type { VendorParameter } from '@heliograph/contract/links/vendor-parameters';
import type { Kysely } from 'kysely';
import { type BlockedWords, blockedWords } from '#modules/campaigns';
import { readKnownParameters } from '#modules/carrier-routes';
import { LateLosses, type MarginGuard, readMarginGuard } from '#modules/margin-guard';
import {
  LateFindings,
  type Moderation,
  readModeration,
  readWebRules,
  type WebFindings,
  type WebRules,
} from '#modules/moderation';
import { type ClosedHours, type DailyWindow, readHours } from '#modules/policy';
import { readTemplateRules, type TemplateRules } from '#modules/templates';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import type { Logger } from '#platform/log';
import { readNumberRules } from '#platform/operator/number-rules';
import { KeptValue } from '#platform/structures/kept-value';

/** Operator's rules about numbers and texts. */
export interface OperatorRules {
  numbers: NumberRules;
  blocked: BlockedWords;
  /** Corporations that have sending limits. */
  limited: ReadonlySet<number>;
  web: WebRules;
  moderation: Moderation;
  /** Sender IDs that may send only approved templates. */
  templates: TemplateRules;
  /** Counts of web addresses that broke the rules. */
  findings: WebFindings;
  /** Corporations whose commercial messages go only to people who opted in. */
  consent: ReadonlySet<number>;
  /** Hours in which messages may not leave. */
  hours: readonly ClosedHours[];
  /** Blackout times that hold commercial messages of programs too, by corporation. */
  blackouts: ReadonlyMap<number, DailyWindow>;
  /** Vendor parameters that links know, and the corporations that may give their values. */
  parameters: readonly VendorParameter[];
  givers: ReadonlySet<number>;
  /** Prices against costs, and counts of losses; null if nothing is judged. */
  margins: MarginGuard | null;
  losses: LateLosses;
}

const GOOD_FOR_MS = 1_000;

/** Caches the operator's rules for a second. A change reaches programs after that. */
export class RulesReader {
  readonly #db: Kysely<Database>;
  readonly #rules = new KeptValue(() => this.#read(), GOOD_FOR_MS);
  /** Words that are blocked, as they were written and prepared. */
  #words: { text: string; blocked: OperatorRules['blocked'] } | undefined;
  readonly #ownHosts: readonly string[];
  readonly #late: LateFindings;
  readonly #losses: LateLosses;

  /** Texts may always link to `ownHosts`. */
  constructor(db: Kysely<Database>, ownHosts: readonly string[], log: Logger) {
    this.#db = db;
    this.#ownHosts = ownHosts;
    this.#late = new LateFindings(db, log);
    this.#losses = new LateLosses(db, log);
  }

  read(): OperatorRules | Promise<OperatorRules> {
    return this.#rules.get();
  }

  async #read(): Promise<OperatorRules> {
    const db = this.#db;
    const numbers = await readNumberRules(db);
    const rows = await db.selectFrom('blacklist_text').select('text').orderBy('id').execute();
    const words = rows.map(({ text }) => text);
    const text = JSON.stringify(words);
    // Preparing the words is expensive, and they seldom change.
    if (this.#words?.text !== text) this.#words = { text, blocked: blockedWords(words) };
    const { blocked } = this.#words;
    const limits = await db.selectFrom('sending_limit').select('corporation_id').where('enabled', '=', true).execute();
    const limited = new Set(limits.map(({ corporation_id }) => corporation_id));
    const web = await readWebRules(db, this.#ownHosts);
    const windows = await db
      .selectFrom('blackout_time')
      .select(['corporation_id', 'start_time', 'end_time'])
      .where('enabled', '=', true)
      .where('programs', '=', true)
      .execute();
    const blackouts = new Map(
      windows.map((each) => [each.corporation_id, { from: each.start_time, to: each.end_time }]),
    );
    const hours = await readHours(db);
    const moderation = await readModeration(db);
    const templates = await readTemplateRules(db);
    const strict = await db.selectFrom('corporation').select('id').where('requires_consent', '=', true).execute();
    const consent = new Set(strict.map(({ id }) => id));
    const findings = this.#late.findings;
    const parameters = await readKnownParameters(db);
    const allowed = await db.selectFrom('corporation').select('id').where('gives_parameters', '=', true).execute();
    const givers = new Set(allowed.map(({ id }) => id));
    const margins = await readMarginGuard((query, values) => rowsOf(db, query, values));
    const losses = this.#losses;
    const ofTexts = { blocked, web, moderation, templates, findings };
    return { numbers, limited, consent, hours, blackouts, parameters, givers, margins, losses, ...ofTexts };
  }

  /** Plans a write of what was counted since the last one. */
  plan(): void {
    this.#late.plan();
    this.#losses.plan();
  }

  /** Writes what was counted. */
  async flush(): Promise<void> {
    await this.#late.flush();
    await this.#losses.flush();
  }
}
