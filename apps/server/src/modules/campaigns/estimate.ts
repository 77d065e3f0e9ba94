import * as contract from '@heliograph/contract/campaigns/quote';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { countContacts, firstContacts } from '#modules/audience';
import type { Context } from '#platform/context';
import { type App, mount } from '#platform/http/http';
import { loadPlan } from './audience-plan.ts';
import { type Candidate, candidateOf, readList, readPasted, splitPasted } from './audience-source.ts';
import { checkSend, checkSources } from './check-content.ts';
import { keptFieldsOf } from './contact-placeholders.ts';
import { type AudiencePlan, expandCandidates } from './expand-audience.ts';
import { keepSegments } from './kept-segments.ts';
import { fieldsOfTexts } from './language-texts.ts';
import { placesOf } from './recipient-file.ts';

/** Maximum recipients that an estimate reads, so that it keeps up with a person who types. */
const MOST_READ = 3_000;
const NO_SIGNAL = new AbortController().signal;

/** Recipients that stand for a part of the audience, and the size of that part; null if it is unknown. */
interface Sample {
  read: readonly Candidate[];
  rows: number | null;
}

const COUNTED = ['total_count', 'total_sms', 'rejected_count', 'cost'] as const;

/** Mounts the estimate of a campaign that is being written. It stores nothing. */
export function estimateRoute(app: App): void {
  mount(app, contract.estimateCampaign, async (ctx, { body }) => {
    const { sending, fields } = await checkSend(ctx, body, contract.bringsTexts(body));
    await checkSources(ctx, body, sending.corporation_id);
    const plan = await loadPlan(
      ctx.db,
      ctx.config,
      sending,
      { ...body, ...keptFieldsOf(fields) },
      null,
      ctx.clock.now(),
    );
    const segments = await samplesOfSegments(ctx, body.segment_ids, sending.corporation_id);
    const samples = [await sampleOfNumbers(ctx, plan), ...segments, ...(await sampleOfFile(ctx, plan, body.file_id))];
    const sums = { total_count: 0, total_sms: 0, rejected_count: 0, cost: 0 };
    for (const { read, rows } of samples) {
      const batch = async function* () {
        yield read;
      };
      const totals = await expandCandidates(ctx.db, plan, batch(), {}, NO_SIGNAL);
      const times = (rows ?? 0) / Math.max(1, read.length);
      for (const figure of COUNTED) sums[figure] += Math.round(totals[figure] * times);
    }
    const known = samples.every(({ rows }) => rows !== null);
    const account = await ctx.db
      .selectFrom('billing_account')
      .innerJoin('corporation', 'corporation.id', 'billing_account.corporation_id')
      .select(['corporation.currency', 'billing_account.credit_balance'])
      .where('billing_account.id', '=', sending.billing_account_id)
      .executeTakeFirstOrThrow();
    return {
      data: {
        total_count: known ? sums.total_count : null,
        total_sms: known ? sums.total_sms : null,
        rejected_count: known ? sums.rejected_count : null,
        cost: known ? fromThousandths(sums.cost) : null,
        currency: account.currency,
        credit_balance: fromThousandths(account.credit_balance),
        balance_after: known ? fromThousandths(account.credit_balance - sums.cost) : null,
        exact: body.file_id === null && samples.every(({ read, rows }) => rows === read.length),
      },
    };
  });
}

/** Reads the numbers of lists and of the text box: all if they are few, or each source's share. */
async function sampleOfNumbers({ db }: Context, plan: AudiencePlan): Promise<Sample> {
  const { sources } = plan;
  const ids = sources.lists.map(({ id }) => id);
  const counted =
    ids.length === 0
      ? []
      : await db.selectFrom('number_list').select(['id', 'numbers_count']).where('id', 'in', ids).execute();
  const pasted = splitPasted(sources.custom_numbers).length;
  const rows = counted.reduce((sum, { numbers_count }) => sum + numbers_count, pasted);
  const shareOf = (size: number) => Math.ceil((size * Math.min(rows, MOST_READ)) / Math.max(1, rows));
  const read: Candidate[] = [];
  for (const list of sources.lists) {
    const size = counted.find(({ id }) => id === list.id)?.numbers_count ?? 0;
    if (size > 0) read.push(...(await first(readList(db, list, fieldsOfTexts(plan), shareOf(size)))));
  }
  if (pasted > 0) read.push(...(await first(readPasted(sources.custom_numbers, shareOf(pasted)))));
  return { read, rows };
}

/** Returns the first contacts that each segment finds now, and how many it finds. */
async function samplesOfSegments(ctx: Context, ids: readonly number[], corporationId: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const { name: source, where } of await keepSegments(ctx, ids, corporationId)) {
    const rows = await countContacts(ctx, where);
    const found = await firstContacts(ctx, where, Math.ceil(MOST_READ / ids.length));
    samples.push({ read: found.map(({ number, name }) => ({ source, line: null, number, values: { name } })), rows });
  }
  return samples;
}

/** Returns the first rows of the file, which are stored with it: the file itself is not opened. */
async function sampleOfFile({ db }: Context, plan: AudiencePlan, fileId: number | null): Promise<Sample[]> {
  const { file } = plan.sources;
  if (file === null || fileId === null) return [];
  const { preview, rows_estimate } = await db
    .selectFrom('upload')
    .select(['preview', 'rows_estimate'])
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow();
  const places = placesOf(file.mapping, fieldsOfTexts(plan));
  const read = (preview as string[][]).map((cells, at) => candidateOf({ line: at + 1, cells }, file.name, places));
  return [{ read, rows: rows_estimate }];
}

/** Returns the first batch of a source. */
async function first(source: AsyncGenerator<Candidate[]> | Generator<Candidate[]>): Promise<Candidate[]> {
  const { value } = await source.next();
  await source.return(undefined);
  return value ?? [];
}
