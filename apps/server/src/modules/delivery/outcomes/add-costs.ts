import type pg from 'pg';
import { numberArray, plainArray } from '#platform/database/array-literal';
import { together } from '../postgres-session.ts';
import { type CostSums, COST_FIELDS as FIELDS } from './cost-sums.ts';

const ADD = {
  name: 'add-costs',
  text: `
    INSERT INTO traffic_cost AS q (quarter, corporation_id, department_id, user_id, campaign_id, link_id, network_id,
      carrier_card_id, ${FIELDS.join()})
    SELECT to_timestamp(d.quarter / 1000), d.corporation_id, d.department_id, d.user_id, d.campaign_id, d.link_id, d.network_id,
      d.card_id, ${FIELDS.map((field) => `d.${field}`).join()}
    FROM unnest($1::float8[], ${Array.from({ length: 12 }, (_, i) => `$${i + 2}::bigint[]`).join()})
      AS d(quarter, corporation_id, department_id, user_id, campaign_id, link_id, network_id, card_id, ${FIELDS.join()})
    ON CONFLICT (quarter, corporation_id, department_id, user_id, campaign_id, link_id, network_id, carrier_card_id)
      DO UPDATE SET ${FIELDS.map((field) => `${field} = q.${field} + EXCLUDED.${field}`).join()}`,
};
const POST = {
  name: 'post-costs',
  text: 'SELECT post_costs($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[])',
};

/** Adds the costs of a batch to the sums and to the carriers' accounts, in the transaction that records its outcomes. */
export async function addCosts(client: pg.Client, sums: CostSums, cause: string): Promise<void> {
  const rows = sums.rows();
  if (rows.length === 0) return;
  const transfers = sums.transfers(cause);
  const owner = (field: 'corporation_id' | 'department_id' | 'user_id') =>
    numberArray(rows.map(({ chunk }) => chunk[field]));
  await together([
    client.query({
      ...ADD,
      values: [
        numberArray(rows.map(({ quarter }) => quarter)),
        owner('corporation_id'),
        owner('department_id'),
        owner('user_id'),
        numberArray(rows.map(({ chunk }) => chunk.campaign_id ?? 0)),
        ...(['link_id', 'network_id', 'card_id', ...FIELDS] as const).map((field) =>
          numberArray(rows.map((row) => row[field])),
        ),
      ],
    }),
    transfers.length > 0 &&
      client.query({
        ...POST,
        values: [
          plainArray(transfers.map(({ key }) => key)),
          plainArray(transfers.map(({ kind }) => kind)),
          numberArray(transfers.map(({ link_id }) => link_id)),
          numberArray(transfers.map(({ card_id }) => card_id)),
          plainArray(transfers.map(({ currency }) => currency)),
          numberArray(transfers.map(({ amount }) => amount)),
        ],
      }),
  ]);
}
