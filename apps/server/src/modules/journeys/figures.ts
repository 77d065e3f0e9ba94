import type { journeyFigures as figuresOperation } from '@heliograph/contract/journeys/journey';
import { allSteps } from '@heliograph/contract/journeys/journey-definition';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { countParts } from '@heliograph/contract/kernel/segments';
import { sql } from 'kysely';
import { priceLookup } from '#modules/billing';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { readDefinition } from './definition.ts';
import { stored } from './journeys.ts';
import { textFieldsOf, textMaker, valuesFor } from './texts.ts';

/** Newest contacts whose prices make the estimate of a message. */
const SAMPLE = 100;
/** Versions that are shown, the newest first. */
const VERSIONS = 50;

/** Returns the figures of a journey: people by step and version, what was sent, and estimates of the messages. */
export const showFigures: Handler<typeof figuresOperation> = async (ctx, { params }) => {
  const { data } = await stored.get(ctx, { params, query: {}, body: {} });
  const { db } = ctx;
  const now = await sql<{ version_id: number; step: number; people: number }>`
    SELECT version_id, abs(step)::integer AS step, count(*) AS people FROM journey_person
    WHERE journey_id = ${data.id} AND due_at IS NOT NULL GROUP BY 1, 2`.execute(db);
  const done = await sql<{ step: number; passed: number; sent: number; refused: number; spent: number }>`
    SELECT s.step, sum(s.passed)::bigint AS passed, sum(s.sent)::bigint AS sent, sum(s.refused)::bigint AS refused,
      sum(s.spent)::bigint AS spent
    FROM journey_step s JOIN journey_version v ON v.id = s.version_id WHERE v.journey_id = ${data.id} GROUP BY 1`.execute(
    db,
  );
  const versions = await sql<{
    id: number;
    number: number;
    created_at: string;
    published_by_name: string | null;
    definition: unknown;
  }>`
    SELECT v.id, v.number, v.created_at, u.name AS published_by_name, v.definition FROM journey_version v
    LEFT JOIN user_account u ON u.id = v.published_by WHERE v.journey_id = ${data.id}
    ORDER BY v.number DESC LIMIT ${VERSIONS}`.execute(db);
  const estimates = await estimatesOf(ctx, data);
  const sum = (rows: readonly { people: number }[]) => rows.reduce((all, { people }) => all + people, 0);
  const ids = new Set([
    ...allSteps(readDefinition(data.definition).steps).map(({ id }) => id),
    ...done.rows.map(({ step }) => step),
    ...now.rows.map(({ step }) => step),
  ]);
  ids.delete(0);
  const past = new Map(done.rows.map((row) => [row.step, row]));
  return {
    data: {
      under_way: sum(now.rows),
      entered: data.entered,
      steps: [...ids].map((step) => {
        const { passed, sent, refused, spent } = past.get(step) ?? { passed: 0, sent: 0, refused: 0, spent: 0 };
        const waiting = sum(now.rows.filter((row) => row.step === step));
        const estimate = estimates.get(step);
        return {
          ...{ step, waiting, passed, sent, refused, spent: fromThousandths(spent) },
          estimate: estimate === undefined ? null : fromThousandths(estimate),
        };
      }),
      versions: versions.rows.map(({ id, definition, ...version }) => ({
        ...version,
        definition: readDefinition(definition),
        under_way: sum(now.rows.filter(({ version_id }) => version_id === id)),
      })),
    },
  };
};

/** Returns the average cost of each message for the newest contacts; nothing if there is no price or contact. */
async function estimatesOf(
  ctx: Context,
  journey: { corporation_id: number; definition: unknown },
): Promise<ReadonlyMap<number, number>> {
  const definition = readDefinition(journey.definition);
  const messages = allSteps(definition.steps).filter((step) => step.do === 'message');
  const found = new Map<number, number>();
  if (messages.length === 0) return found;
  const people = await sql<{ number: string }>`SELECT number FROM contact
    WHERE corporation_id = ${journey.corporation_id} ORDER BY id DESC LIMIT ${SAMPLE}`.execute(ctx.db);
  const priceOf = await priceFor(ctx, journey.corporation_id);
  if (!priceOf || people.rows.length === 0) return found;
  const numbers = people.rows.map(({ number }) => number);
  const fields = await textFieldsOf(ctx.db, journey.corporation_id, definition);
  const values = await valuesFor(ctx.db, journey.corporation_id, fields, numbers);
  for (const step of messages) {
    const makeText = textMaker(step, fields);
    const costs = numbers.map((number) => countParts(makeText(values.get(number))).parts * priceOf(number));
    found.set(step.id, Math.round(costs.reduce((all, cost) => all + cost, 0) / costs.length));
  }
  return found;
}

/** Returns the price of a part to a number by the first account of a corporation; null if no price is known. */
export async function priceFor(ctx: Context, corporationId: number): Promise<((number: string) => number) | null> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM billing_account
    WHERE corporation_id = ${corporationId} AND (enabled OR id = ${ctx.caller.billing_account_id}::bigint)
    ORDER BY (id = ${ctx.caller.billing_account_id}::bigint) IS TRUE DESC, id LIMIT 1`.execute(ctx.db);
  if (!rows[0]) return null;
  try {
    return (await priceLookup(ctx.db, rows[0].id, { at: ctx.clock.now() })).priceOf;
  } catch (error) {
    if (error instanceof BusinessError) return null;
    throw error;
  }
}
