import { CARD_COLUMNS } from '@heliograph/contract/billing/rate-card';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Clock } from '#platform/clock';
import type { Context } from '#platform/context';
import { type AttachedFile, csvFile } from '#platform/csv-file';
import { BusinessError } from '#platform/errors';

/** A card with its header and two rows to start from. */
export function cardTemplate(clock: Clock): AttachedFile {
  const today = clock.now().toISOString().slice(0, 10);
  return csvFile('rates-template.csv', CARD_COLUMNS, [
    ['WEB', '63', '0.500', today, '', 'true'],
    ['API', '63917', '0.450', today, '', 'true'],
  ]);
}

/** Every rate of a plan, in the form in which a card is uploaded. Throws `not_found`. */
export async function currentCard({ db }: Context, planId: number): Promise<AttachedFile> {
  const plan = await db.selectFrom('price_plan').select('name').where('id', '=', planId).executeTakeFirst();
  if (!plan) throw new BusinessError('not_found');
  const rows = await db
    .selectFrom('rate as r')
    .innerJoin('rate_zone as z', 'z.id', 'r.rate_zone_id')
    .select(['z.name as zone', 'r.prefix', 'r.charge', 'r.starts_on', 'r.ends_on', 'r.enabled'])
    .where('r.price_plan_id', '=', planId)
    .orderBy('z.name')
    .orderBy('r.prefix')
    .orderBy('r.starts_on')
    .execute();
  return csvFile(
    `${plan.name}-rates.csv`,
    CARD_COLUMNS,
    rows.map((row) => CARD_COLUMNS.map((column) => (column === 'charge' ? fromThousandths(row.charge) : row[column]))),
  );
}
