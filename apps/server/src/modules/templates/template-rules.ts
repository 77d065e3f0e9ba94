import { type ParameterValues, valuesOfLines } from '@heliograph/contract/links/vendor-parameters';
import type { LanguageText } from '@heliograph/contract/templates/language-texts';
import { TemplateMatcher } from '@heliograph/contract/templates/template-pattern';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';

/** Approved templates for the texts of one sender ID. */
export interface TemplateCheck {
  /** Name of the sender ID. */
  readonly sender: string;
  /** Tells if a text, without its ending, is an approved template with its placeholders filled. */
  passes(text: string): boolean;
}

/** Maximum compiled templates that a process keeps. */
const KEPT = 5_000;
const compiled = new Map<string, TemplateMatcher>();

/** Returns the compiled form of a template. Templates are compiled once. */
export function matcherOf(template: string): TemplateMatcher {
  let matcher = compiled.get(template);
  if (!matcher) {
    if (compiled.size >= KEPT) compiled.clear();
    matcher = new TemplateMatcher(template);
    compiled.set(template, matcher);
  }
  return matcher;
}

/** Returns a sender's name or number in the form in which two are compared. */
const written = (sender: string): string => sender.replace(/^00(?=\d+$)/, '').toUpperCase();

/** Makes the 422 of a text that is no approved template. It names the sender ID and the remedy. */
export const templateFault = (field: string, sender: string): BusinessError =>
  new BusinessError('template_required', {
    params: { sender },
    fields: { [field]: [{ key: 'template_required', params: { sender } }] },
  });

/** Approved template, as the rules need it. */
interface Approved {
  /** Approved text, and those by language. */
  texts: readonly string[];
  /** Values of vendor parameters, as name=value. */
  parameters: readonly string[];
}

const isMadeFrom = ({ texts }: Approved, text: string): boolean =>
  texts.some((template) => matcherOf(template).matches(text));

/** Sender IDs that are limited to approved templates, as they were read, and the templates of their corporations. */
export class TemplateRules {
  readonly #limited: ReadonlySet<string>;
  readonly #templates: ReadonlyMap<number, readonly Approved[]>;

  /** `templates` are in the order of their ids; only of corporations that need them. */
  constructor(limited: ReadonlySet<string>, templates: ReadonlyMap<number, readonly Approved[]>) {
    this.#limited = limited;
    this.#templates = templates;
  }

  /** Returns the templates for the texts of a sender ID; null if it may send any text. */
  of(corporation_id: number, sender: string): TemplateCheck | null {
    if (this.#limited.size === 0 || !this.#limited.has(`${corporation_id} ${written(sender)}`)) return null;
    const templates = this.#templates.get(corporation_id) ?? [];
    return { sender, passes: (text) => templates.some((each) => isMadeFrom(each, text)) };
  }

  /**
   * Returns the values of vendor parameters of the oldest approved template that a text, without its ending, is made from;
   * empty if there is none, or if it has no values.
   */
  parametersOf(corporation_id: number, text: string): ParameterValues {
    const templates = this.#templates.get(corporation_id) ?? [];
    if (templates.every(({ parameters }) => parameters.length === 0)) return {};
    return valuesOfLines(templates.find((each) => isMadeFrom(each, text))?.parameters ?? []);
  }
}

const NONE = new TemplateRules(new Set(), new Map());

/**
 * Reads the limited sender IDs of one corporation, or of all, with the approved templates of their corporations and of
 * those whose templates have values of parameters. Where there are none this is two short questions.
 */
export async function readTemplateRules(db: Kysely<Database>, corporationId?: number): Promise<TemplateRules> {
  const limited = await db
    .selectFrom('sender_id')
    .select(['corporation_id', 'sender_id'])
    .where('templates_only', '=', true)
    .$if(corporationId !== undefined, (q) => q.where('corporation_id', '=', corporationId!))
    .execute();
  const owners = [...new Set(limited.map(({ corporation_id }) => corporation_id))];
  const rows = await db
    .selectFrom('approved_template')
    .select(['corporation_id', 'template', 'language_texts', 'parameters'])
    .where((eb) =>
      eb.or([
        sql<boolean>`corporation_id = ANY (${owners}::bigint[])`,
        sql<boolean>`corporation_id IN (SELECT corporation_id FROM approved_template WHERE parameters <> '{}')`,
      ]),
    )
    .$if(corporationId !== undefined, (q) => q.where('corporation_id', '=', corporationId!))
    .orderBy('template_id')
    .execute();
  if (limited.length === 0 && rows.length === 0) return NONE;
  const approved = rows.map(({ template, language_texts, ...row }) => ({
    ...row,
    texts: [template, ...(language_texts as unknown as LanguageText[]).map(({ text }) => text)],
  }));
  return new TemplateRules(
    new Set(limited.map(({ corporation_id, sender_id }) => `${corporation_id} ${written(sender_id)}`)),
    Map.groupBy(approved, ({ corporation_id }) => corporation_id),
  );
}
