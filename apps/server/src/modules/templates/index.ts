import { isDeepStrictEqual } from 'node:util';
import { valuesOfLines } from '@heliograph/contract/links/vendor-parameters';
import { type LanguageText, languageTexts } from '@heliograph/contract/templates/language-texts';
import {
  decideTemplates,
  getTemplateHistory,
  messageTemplate,
  submitTemplate,
  type templateEvent,
} from '@heliograph/contract/templates/message-template';
import { contactKeysOf } from '@heliograph/contract/templates/template-pattern';
import { sql } from 'kysely';
import type { z } from 'zod';
import { readContactFields } from '#modules/audience';
import { checkParameters, readKnownParameters } from '#modules/carrier-routes';
import { decideEach, decidesFor, readSenderRules } from '#modules/senders';
import { requireDepartment } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import { type App, mount, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { tableStore } from '#platform/records/table-store';
import { requireLanguages } from './languages.ts';
import { decide, lockTemplate, recordTemplate, submit } from './life.ts';
import { mailTemplateNews, mailTemplateNewsJob, tellTemplateNews, tellTemplateNewsJob } from './tell-templates.ts';

export { explainTemplate } from './explain.ts';
export { languageFieldOf, requireLanguages } from './languages.ts';
export { mailTemplateNewsJob, tellTemplateNewsJob } from './tell-templates.ts';
export { readTemplateRules, type TemplateCheck, type TemplateRules, templateFault } from './template-rules.ts';

const stored = tableStore(messageTemplate, {
  table: 'message_template',
  from: 'message_template_row',
  searched: ['name', 'template', 'department_name'],
});
type Row = Awaited<ReturnType<typeof stored.get>>['data'];

/** All texts of a template. */
interface Texts {
  template: string;
  language_texts: readonly LanguageText[];
}

/** Maximum entries of a history that are shown. */
const SHOWN = 200;

/** Returns whether the caller decides about templates of a corporation. */
async function decidesOf(ctx: Context) {
  const decides = await decidesFor(ctx);
  return ({ corporation_id }: { corporation_id: number }) => decides === 'all' || decides.has(corporation_id);
}

async function withDecisions(ctx: Context, rows: readonly Row[]): Promise<Row[]> {
  const decides = await decidesOf(ctx);
  return rows.map((row) => ({ ...row, may_decide: decides(row) }));
}

/** Returns a body as columns: the driver would write a list as an array. */
const stringified = <Body extends { language_texts?: unknown }>(body: Body): Body =>
  body.language_texts === undefined ? body : { ...body, language_texts: JSON.stringify(body.language_texts) };
const one = async (ctx: Context, { data }: { data: Row }) => ({ data: (await withDecisions(ctx, [data]))[0]! });

/** Throws if a link knows no parameter of a name, or could not send a value. */
async function requireParameters(ctx: Context, lines: readonly string[] = []): Promise<void> {
  if (lines.length > 0) checkParameters(await readKnownParameters(ctx.db), valuesOfLines(lines));
}

/**
 * Throws a 422 if a text uses the key of a contact field that its corporation does not have, or if the corporation has no
 * field for the language of contacts, or one that does not have this language.
 */
async function requireFields(
  { db }: Context,
  corporationId: number,
  { template, language_texts }: Texts,
): Promise<void> {
  const texts = [
    ['template', template] as const,
    ...language_texts.map(({ text }, at) => [`language_texts.${at}.text`, text] as const),
  ];
  const isPlain = texts.every(([, text]) => contactKeysOf(text).length === 0);
  if (isPlain && language_texts.length === 0) return;
  const fields = await readContactFields(db, corporationId);
  const known = new Set(fields.map(({ key }) => key));
  for (const [field, text] of texts)
    if (!contactKeysOf(text).every((key) => known.has(key))) throw fieldError(field, 'unknown_placeholder');
  requireLanguages(fields, language_texts);
}

/** Mounts the texts that campaigns begin with, and the decisions about them. */
export function mountTemplates(app: App): void {
  mountResource(app, messageTemplate, {
    async list(ctx, call) {
      const page = await stored.list(ctx, call);
      return { ...page, data: await withDecisions(ctx, page.data) };
    },
    get: async (ctx, call) => one(ctx, await stored.get(ctx, call)),
    async create(ctx, call) {
      await requireParameters(ctx, call.body.parameters);
      await requireDepartment(ctx, call.body);
      await requireFields(ctx, call.body.corporation_id, call.body);
      const made = await stored.create(ctx, { ...call, body: stringified(call.body) });
      return { ...made, ...(await one(ctx, made)) };
    },
    async update(ctx, call) {
      await requireParameters(ctx, call.body.parameters);
      const before = await lockTemplate(ctx, call.params.id);
      const kept = languageTexts.parse(before.language_texts);
      const { template = before.template, language_texts = kept, parameters } = call.body;
      const changed = template !== before.template || !isDeepStrictEqual(language_texts, kept);
      if (changed) await requireFields(ctx, before.corporation_id, { template, language_texts });
      // The approved text stays valid until the new one is decided.
      const waits = changed && before.state === 'approved' && { state: 'submitted', requested_by: ctx.caller.user_id };
      const body = { ...stringified(call.body), ...(changed && { revision: before.revision + 1 }), ...waits };
      const updated = await stored.update(ctx, { ...call, body });
      // The values are no part of the text that was approved, so they are in force immediately.
      if (parameters !== undefined)
        await ctx.db
          .updateTable('approved_template')
          .set({ parameters })
          .where('template_id', '=', call.params.id)
          .execute();
      if (changed && before.state !== 'draft')
        await recordTemplate(ctx, { ...before, ...updated.data }, waits ? 'submitted' : 'changed');
      return { ...updated, ...(await one(ctx, updated)) };
    },
    async remove(ctx, call) {
      const before = await lockTemplate(ctx, call.params.id);
      const removed = await stored.remove(ctx, call);
      await recordTemplate(ctx, before, 'deleted');
      return removed;
    },
  });
  mount(app, submitTemplate, async (ctx, { params, ...call }) => {
    const { fourEyes } = await readSenderRules(ctx.db);
    const decides = await decidesOf(ctx);
    await submit(ctx, params.id, (template) => !fourEyes && decides(template));
    return one(ctx, await stored.get(ctx, { params, ...call } as Parameters<typeof stored.get>[1]));
  });
  mount(app, decideTemplates, async (ctx, { body: { templates, ...decision } }) => {
    const { fourEyes } = await readSenderRules(ctx.db);
    const by = { fourEyes, decides: await decidesOf(ctx) };
    const revisions = new Map(templates.map(({ id, revision }) => [id, revision]));
    return decideEach(ctx, [...revisions.keys()], (id) =>
      decide(ctx, { id, revision: revisions.get(id)! }, decision, by),
    );
  });
  mount(app, getTemplateHistory, async (ctx, { params }) => {
    await stored.get(ctx, { params } as Parameters<typeof stored.get>[1]);
    const { rows } = await sql<z.output<typeof templateEvent>>`
      SELECT e.created_at, e.from_state, e.to_state, e.template, e.language_texts, u.name AS user_name, e.reason
      FROM template_event e LEFT JOIN user_account u ON u.id = e.actor_id
      WHERE e.template_id = ${params.id} ORDER BY e.id DESC LIMIT ${SHOWN}`.execute(ctx.db);
    return { data: rows };
  });
}

/** Registers the notices about templates. */
export async function templateJobs(worker: WorkerContext): Promise<void> {
  await worker.jobs.work(tellTemplateNewsJob, (data) => tellTemplateNews(worker, data));
  await worker.jobs.work(mailTemplateNewsJob, (data) => mailTemplateNews(worker, data));
}
