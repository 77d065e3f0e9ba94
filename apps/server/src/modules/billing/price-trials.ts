import { marginRule } from '@heliograph/contract/billing/margin-rule';
import { showTrial, type TRIED_PRICES, tryPrices } from '@heliograph/contract/billing/price-trial';
import { FILE_FORMATS } from '@heliograph/contract/kernel/file-format';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { z } from 'zod';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { amountCell } from '#platform/table/cells';
import { createTable } from '#platform/table/table-file';
import { askForDownload, downloadJob, downloadTask, writeDownload } from '#platform/tasks/downloads';
import { type LoadCaller, stillAllowed } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { translate } from '#platform/text/i18n';
import { costOfReseller } from './cost-card.ts';
import { planOf } from './margin-rule.ts';
import { discountsOf, discountsOnWire, monthOnWire, sumsOfDiscounts } from './trial-discounts.ts';
import { type TriedLine, trial } from './try-prices.ts';

/** Job that tries prices on past traffic. */
export const tryPricesJob = downloadJob('try-prices');

const KIND = 'price-trials';
const asked = z.object({
  price_plan_id: z.int(),
  rule: marginRule.nullable(),
  card_upload_id: z.int().nullable(),
  format: z.enum(FILE_FORMATS),
  locale: z.enum(LOCALES),
});
const AMOUNTS = ['charged', 'tried', 'cost', 'margin', 'margin_tried'] as const;
const COLUMNS = ['network', 'parts', ...AMOUNTS, 'currency'] as const;
/** Columns of the rows of accounts and months, which follow those of networks. */
const DISCOUNT_COLUMNS = [
  ...(['corporation_name', 'billing_account_name', 'month', 'whole', 'terms', 'terms_tried'] as const),
  ...(['volume_parts', 'volume_parts_tried', 'volume_charged', 'volume_tried'] as const),
  ...(['discount', 'discount_tried', 'discount_change'] as const),
] as const;
const DISCOUNT_AMOUNTS: readonly string[] = DISCOUNT_COLUMNS.slice(-5);

const sumsOnWire = ({ parts, charged, tried, cost }: Omit<TriedLine, 'network'>) => ({
  parts,
  charged: fromThousandths(charged),
  tried: fromThousandths(tried),
  cost: fromThousandths(cost),
  margin: fromThousandths(charged - cost),
  margin_tried: fromThousandths(tried - cost),
});

const sumOf = (lines: readonly TriedLine[], field: 'parts' | 'charged' | 'tried' | 'cost') =>
  lines.reduce((sum, line) => sum + line[field], 0);

/** Mounts the trial of prices and its result. */
export function trialRoutes(app: App): void {
  mount(app, tryPrices, async (ctx, { params, body }) => {
    const plan = await planOf(ctx, params.id);
    // Costs and prices are compared, so the accounts of the plan have the currency of the reseller.
    await costOfReseller(ctx.db, plan);
    if (body.card_upload_id !== null) {
      const card = await ctx.db
        .selectFrom('task')
        .select('id')
        .where('type', '=', 'card_upload')
        .where('id', '=', body.card_upload_id)
        .where('price_plan_id', '=', plan.id)
        .where('state', '=', 'ready')
        .executeTakeFirst();
      if (!card) throw fieldError('card_upload_id', 'not_visible');
    }
    const { rule, card_upload_id, format } = body;
    const parameters = { price_plan_id: plan.id, rule, card_upload_id, format, locale: ctx.locale };
    const name = `${plan.name.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').slice(0, 40)}-trial.${format}`;
    const { corporation_id } = plan;
    return askForDownload(ctx, tryPricesJob, { kind: KIND, download_file: name, parameters, corporation_id });
  });
  mount(app, showTrial, async (ctx, { params }) => {
    const plan = await planOf(ctx, params.id);
    const row = await ctx.db
      .selectFrom('price_trial')
      .selectAll()
      .where('price_plan_id', '=', plan.id)
      .executeTakeFirst();
    if (!row) return { data: null };
    const lines = row.lines as unknown as TriedLine[];
    const all = (field: 'parts' | 'charged' | 'tried' | 'cost') => sumOf(lines, field);
    const sums = { parts: all('parts'), charged: all('charged'), tried: all('tried'), cost: all('cost') };
    const discounts = discountsOf(row);
    return {
      data: {
        ...sumsOnWire(sums),
        prices: row.prices as (typeof TRIED_PRICES)[number],
        ...{ from: row.from_day, to: row.to_day, currency: row.currency, made_at: row.made_at },
        lines: lines.map((line) => ({ network: line.network, ...sumsOnWire(line) })),
        discounts: discounts && discountsOnWire(discounts, sums),
      },
    };
  });
}

/** Registers the job that tries prices. */
export const trialJobs = (worker: WorkerContext, loadCaller: LoadCaller): Promise<void> =>
  workTasks(worker, downloadTask, tryPricesJob, (id, signal) => runTrial(worker, loadCaller, id, signal));

type TrialWorker = Pick<WorkerContext, 'database' | 'config' | 'clock' | 'log'>;

/** Tries the prices of a download, stores the result and writes its file. */
export async function runTrial(
  worker: TrialWorker,
  loadCaller: LoadCaller,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const { database, clock } = worker;
  await writeDownload(worker, id, signal, {
    kinds: [KIND],
    extension: (row) => asked.parse(row.parameters).format,
    async write(row, path, tell) {
      const { format, locale, ...wanted } = asked.parse(row.parameters);
      const caller = await stillAllowed(loadCaller, row, tryPrices.permission!);
      const found = await trial(database, wanted, clock.now(), async (messages) => {
        signal.throwIfAborted();
        await tell(messages);
      });
      const plan = await database
        .selectFrom('price_plan')
        .select('corporation_id')
        .where('id', '=', wanted.price_plan_id)
        .executeTakeFirst();
      if (
        !plan ||
        plan.corporation_id === null ||
        !(caller.scope_level < 2 || caller.corporation_id === plan.corporation_id)
      )
        throw new BusinessError('forbidden');
      const made_at = clock.now().toISOString();
      const values = {
        corporation_id: plan.corporation_id,
        prices: wanted.rule ? 'rule' : wanted.card_upload_id === null ? 'present' : 'card',
        ...{ from_day: found.from, to_day: found.to, currency: found.currency },
        lines: JSON.stringify(found.lines),
        discounts: JSON.stringify(sumsOfDiscounts(found.discounts, made_at)),
        made_at,
      };
      await database
        .insertInto('price_trial')
        .values({ price_plan_id: wanted.price_plan_id, ...values })
        .onConflict((conflict) => conflict.column('price_plan_id').doUpdateSet(values))
        .execute();
      const say = (field: string) => translate(locale, keyIn('resources', 'price-trials', 'fields', field));
      const file = await createTable(format, path, { sheet: say('name') });
      try {
        await file.write([[...COLUMNS, ...DISCOUNT_COLUMNS].map(say)]);
        await file.write(
          found.lines.map((line) => {
            const sums = { network: line.network, currency: found.currency, ...sumsOnWire(line) };
            const cells = COLUMNS.map((column) =>
              (AMOUNTS as readonly string[]).includes(column) ? amountCell(String(sums[column])) : sums[column],
            );
            return [...cells, ...DISCOUNT_COLUMNS.map(() => null)];
          }),
        );
        await file.write(
          found.discounts.map(monthOnWire).map((row) => [
            ...COLUMNS.map((column) => (column === 'currency' ? found.currency : null)),
            ...DISCOUNT_COLUMNS.map((column) => {
              if (column === 'whole') return translate(locale, row.whole ? 'common.yes' : 'common.no');
              return DISCOUNT_AMOUNTS.includes(column) ? amountCell(String(row[column])) : row[column];
            }),
          ]),
        );
        await file.end();
      } catch (error) {
        await file.abandon();
        throw error;
      }
      return found.lines.length + found.discounts.length;
    },
  });
}
