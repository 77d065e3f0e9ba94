import { FILE_FORMATS } from '@heliograph/contract/kernel/file-format';
import { fromMillionths } from '@heliograph/contract/kernel/money';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { cardReplayLines, getCardReplay, replayCarrierCard } from '@heliograph/contract/margins/card-replay';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { amountCell } from '#platform/table/cells';
import { createTable } from '#platform/table/table-file';
import { askForDownload, downloadJob, downloadTask, writeDownload } from '#platform/tasks/downloads';
import { type LoadCaller, stillAllowed } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { translate } from '#platform/text/i18n';
import { type Replay, replayCard } from './replay-card.ts';

/** Job that tries a carrier's card on the traffic of its link. */
export const replayCardJob = downloadJob('replay-carrier-card');

const KIND = 'card-replays';
const asked = z.object({ carrier_card_id: z.int(), format: z.enum(FILE_FORMATS), locale: z.enum(LOCALES) });
const AMOUNTS = ['price', 'cost_before', 'cost_after', 'margin_before', 'margin_after'] as const;
const COLUMNS = ['route_name', 'network', 'corporation_name', 'parts', ...AMOUNTS] as const;

async function cardOf({ db }: Pick<Context, 'db'>, id: number) {
  const card = await db
    .selectFrom('carrier_card as c')
    .innerJoin('link as l', 'l.id', 'c.link_id')
    .select(['c.name as card_name', 'l.name as link_name'])
    .where('c.id', '=', id)
    .executeTakeFirst();
  if (!card) throw new BusinessError('not_found');
  return card;
}

const TURNS = sql<boolean>`(l.unknown_before + l.unknown_after = 0 AND l.cost_before <= l.price AND l.cost_after > l.price)`;

/** Returns the lines of a replay, the greatest loss first. */
const linesOf = (db: Kysely<Database>, cardId: number) =>
  db
    .selectFrom('carrier_card_replay_line as l')
    .innerJoin('carrier_card_replay as r', 'r.carrier_card_id', 'l.carrier_card_id')
    .innerJoin('corporation as c', 'c.id', 'l.corporation_id')
    .leftJoin('carrier_route as o', 'o.id', 'l.carrier_route_id')
    .select(['l.id', 'o.name as route_name', 'l.network', 'c.name as corporation_name', 'l.parts', 'r.currency'])
    .select(['l.price', 'l.cost_before', 'l.cost_after', 'l.unknown_before', 'l.unknown_after', TURNS.as('turns')])
    .where('l.carrier_card_id', '=', cardId)
    .orderBy('l.id');
type LineRow = Awaited<ReturnType<ReturnType<typeof linesOf>['execute']>>[number];

const lineOnWire = (row: LineRow) => ({
  ...row,
  price: fromMillionths(row.price),
  cost_before: fromMillionths(row.cost_before),
  cost_after: fromMillionths(row.cost_after),
  margin_before: fromMillionths(row.price - row.cost_before),
  margin_after: fromMillionths(row.price - row.cost_after),
});

/** Mounts the replay of a card and its result. */
export function replayRoutes(app: App): void {
  mount(app, replayCarrierCard, async (ctx, { params, body }) => {
    const { card_name } = await cardOf(ctx, params.id);
    const parameters = { carrier_card_id: params.id, format: body.format, locale: ctx.locale };
    const name = `${card_name.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').slice(0, 40)}-replay.${body.format}`;
    return askForDownload(ctx, replayCardJob, { kind: KIND, download_file: name, parameters });
  });
  mount(app, getCardReplay, async (ctx, { params }) => {
    const card = await cardOf(ctx, params.id);
    const replay = await ctx.db
      .selectFrom('carrier_card_replay')
      .selectAll()
      .where('carrier_card_id', '=', params.id)
      .executeTakeFirst();
    if (!replay) return { data: null };
    const sums = await ctx.db
      .selectFrom('carrier_card_replay_line as l')
      .select((eb) =>
        (['parts', 'price', 'cost_before', 'cost_after', 'unknown_before', 'unknown_after'] as const).map((field) =>
          sql<number>`coalesce(sum(${eb.ref(`l.${field}`)}), 0)::bigint`.as(field),
        ),
      )
      .select(sql<number>`count(*) FILTER (WHERE ${TURNS})`.as('turning'))
      .where('l.carrier_card_id', '=', params.id)
      .executeTakeFirstOrThrow();
    const { from_day: from, to_day: to, currency, made_at } = replay;
    return {
      data: {
        ...{ ...card, from, to, currency, made_at, ...sums },
        price: fromMillionths(sums.price),
        cost_before: fromMillionths(sums.cost_before),
        cost_after: fromMillionths(sums.cost_after),
      },
    };
  });
  mount(app, cardReplayLines, async (ctx, { params, query }) => {
    await cardOf(ctx, params.id);
    if (query.cursor !== undefined && !/^\d{1,15}$/.test(query.cursor)) throw new BusinessError('malformed_request');
    const rows = await linesOf(ctx.db, params.id)
      .$if(query.turns !== undefined, (q) => q.where(TURNS, '=', query.turns!))
      .$if(query.cursor !== undefined, (q) => q.where('l.id', '>', Number(query.cursor)))
      .limit(query.limit + 1)
      .execute();
    const data = rows.slice(0, query.limit).map(lineOnWire);
    const has_more = rows.length > data.length;
    return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
  });
}

/** Registers the job that tries cards. */
export const replayJobs = (worker: WorkerContext, loadCaller: LoadCaller): Promise<void> =>
  workTasks(worker, downloadTask, replayCardJob, (id, signal) => runReplay(worker, loadCaller, id, signal));

/** Tries the card of a download, stores the result and writes its file. */
async function runReplay(
  worker: WorkerContext,
  loadCaller: LoadCaller,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const { database, clock } = worker;
  await writeDownload(worker, id, signal, {
    kinds: [KIND],
    extension: (row) => asked.parse(row.parameters).format,
    async write(row, path, tell) {
      const { carrier_card_id, format, locale } = asked.parse(row.parameters);
      await stillAllowed(loadCaller, row, replayCarrierCard.permission!);
      const replay = await replayCard(database, carrier_card_id, clock.now(), async (parts) => {
        signal.throwIfAborted();
        await tell(parts);
      });
      await store(database, carrier_card_id, replay);
      const lines = await linesOf(database, carrier_card_id).execute();
      const say = (field: string) => translate(locale, `resources.card-replays.fields.${field}` as never);
      const file = await createTable(format, path, { sheet: say('name') });
      try {
        await file.write([[...COLUMNS, 'turns', 'currency'].map(say)]);
        await file.write(
          lines
            .map(lineOnWire)
            .map((line) => [
              ...COLUMNS.map((column) =>
                (AMOUNTS as readonly string[]).includes(column) ? amountCell(String(line[column])) : line[column],
              ),
              translate(locale, line.turns ? 'common.yes' : 'common.no'),
              line.currency,
            ]),
        );
        await file.end();
      } catch (error) {
        await file.abandon();
        throw error;
      }
      return lines.length;
    },
  });
}

/** Replaces the last replay of a card. */
const store = (database: Kysely<Database>, carrier_card_id: number, { from, to, currency, lines }: Replay) =>
  database.transaction().execute(async (db) => {
    await db.deleteFrom('carrier_card_replay').where('carrier_card_id', '=', carrier_card_id).execute();
    await db
      .insertInto('carrier_card_replay')
      .values({ carrier_card_id, from_day: from, to_day: to, currency })
      .execute();
    if (lines.length === 0) return;
    await sql`
      INSERT INTO carrier_card_replay_line (carrier_card_id, carrier_route_id, network, corporation_id, parts, price,
        cost_before, cost_after, unknown_before, unknown_after)
      SELECT ${carrier_card_id}, l.* FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS l (carrier_route_id bigint,
        network text, corporation_id bigint, parts bigint, price bigint, cost_before bigint, cost_after bigint,
        unknown_before bigint, unknown_after bigint)`.execute(db);
  });
