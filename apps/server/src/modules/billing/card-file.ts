import { CARD_COLUMNS } from '@heliograph/contract/billing/rate-card';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { sql } from 'kysely';
import type { Clock } from '#platform/clock';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { dropDraft, newDraft, newFile, readDraft } from '#platform/files/files';
import { createTable } from '#platform/table/table-file';
import { type AttachedFile, csvFile } from '#platform/tasks/csv-file';
import type { CardColumn } from './card-row.ts';

/** Returns a card with its header and two sample rows. */
export function cardTemplate(clock: Clock): AttachedFile {
  const today = clock.now().toISOString().slice(0, 10);
  return csvFile('rates-template.csv', CARD_COLUMNS, [
    ['WEB', '63', '0.500', today, '', 'true'],
    ['API', '63917', '0.450', today, '', 'true'],
  ]);
}

const PAGE = 5_000;

/** Writes every rate of a plan in the form of a card upload, with limited memory. Throws `not_found`. */
export async function currentCard({ db, config }: Context, planId: number): Promise<AttachedFile> {
  const plan = await db.selectFrom('price_plan').select('name').where('id', '=', planId).executeTakeFirst();
  if (!plan) throw new BusinessError('not_found');
  const draft = newFile('exports', 'csv');
  const file = await createTable('csv', await newDraft(config, draft));
  try {
    await file.write([CARD_COLUMNS]);
    await sql`DECLARE card NO SCROLL CURSOR FOR
      SELECT ${sql.join(CARD_COLUMNS.map((column) => (column === 'zone' ? sql`z.name AS zone` : sql.ref(`r.${column}`))))}
      FROM rate r JOIN rate_zone z ON z.id = r.rate_zone_id WHERE r.price_plan_id = ${planId}
      ORDER BY z.name, r.prefix, r.starts_on`.execute(db);
    for (;;) {
      const { rows } = await sql<Rate>`FETCH ${sql.lit(PAGE)} FROM card`.execute(db);
      await file.write(
        rows.map((row) =>
          CARD_COLUMNS.map((column) => (column === 'charge' ? fromThousandths(row.charge) : row[column])),
        ),
      );
      if (rows.length < PAGE) break;
    }
    await file.end();
  } catch (error) {
    await file.abandon();
    await dropDraft(config, draft);
    throw error;
  }
  return { stream: readDraft(config, draft), name: `${plan.name}-rates.csv`, type: 'text/csv; charset=utf-8' };
}

type Rate = { charge: number } & Record<Exclude<CardColumn, 'charge'>, string | boolean | null>;
