import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import type { getMessage } from '@heliograph/contract/reports/transaction';
import { type NotNull, sql } from 'kysely';
import { describePdu, describeSubmits } from '#modules/delivery';
import { portedAt, readNetworksAt } from '#modules/networks';
import type { Context } from '#platform/context';
import { rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import { checksOf } from './message-checks.ts';
import { type MessageRow, readMessages } from './read-messages.ts';
import { removedOf } from './removed-data.ts';
import type { Selection } from './selection.ts';

type Shown = ReplyOf<typeof getMessage>['data'];
type ShownPdu = Shown['pdus'][number];
type Segment = Shown['segments'][number] & { link_id: number };

/** Value of command_status for a part that was never answered. */
const NO_ANSWER = -1;

/** Rebuilds the PDUs that were sent, by the current settings of the link. */
async function sentOf(ctx: Context, message: MessageRow, segments: readonly Segment[]): Promise<ShownPdu[]> {
  const first = segments[0];
  if (!first || message.text === null) return [];
  const link = await ctx.db.selectFrom('link_row').selectAll().where('id', '=', first.link_id).executeTakeFirst();
  const chunk = await ctx.db
    .selectFrom('chunk')
    .select([
      'id',
      'sender_id',
      'flash',
      'common_text',
      'expires_at',
      'created_at',
      'parameters',
      'class',
      'campaign_id',
      'corporation_id',
    ])
    .where('id', '=', Math.floor(message.id / 1024))
    .executeTakeFirst();
  if (!link || !chunk) return [];
  const said = { id: message.id, number: message.number, text: message.text, parts: message.parts };
  return describeSubmits(link, chunk, said, message.created_at).map((pdu, part) => ({
    // The PDU left before its answer came. The exact time is not stored.
    at: segments.find((segment) => segment.part === part + 1)?.answered_at ?? first.answered_at,
    source: 'rebuilt',
    ...pdu,
  }));
}

/** Returns the carrier's answer to a part, as it is recorded. */
function answerOf({ part, carrier_id, command_status, answered_at }: Segment): ShownPdu {
  const fields =
    command_status === NO_ANSWER
      ? [{ name: 'part', value: String(part) }]
      : [
          { name: 'part', value: String(part) },
          { name: 'command_status', value: `0x${command_status.toString(16).padStart(8, '0')}` },
          { name: 'message_id', value: carrier_id ?? '' },
        ];
  return { at: answered_at, source: 'recorded', command: 'submit_sm_resp', fields };
}

/**
 * Returns the PDUs of a message's receipts as they arrived. They come from single rows, from its outcome, and from the
 * packs of its chunk.
 */
async function receivedOf(ctx: Context, message: Pick<MessageRow, 'id' | 'created_at' | 'text'>): Promise<ShownPdu[]> {
  const { id, created_at } = message;
  const [chunk, place] = [Math.floor(id / 1024), id % 1024];
  const { rows } = await sql<{ received_at: string; raw: Buffer }>`
    SELECT received_at, raw FROM receipt WHERE message_id = ${id} AND received_at >= ${created_at}
    UNION ALL SELECT done_at, receipt FROM outcome WHERE message_id = ${id} AND receipt IS NOT NULL
    UNION ALL SELECT e.received_at, e.raw FROM receipt_pack p CROSS JOIN LATERAL (
      SELECT x.place, p.at + x.delay::float8 * interval '1 microsecond' AS received_at,
        substring(p.raw FROM 1 + (sum(x.size::integer) OVER (ORDER BY x.n) - x.size::integer)::integer FOR x.size::integer) AS raw
      FROM ROWS FROM (string_to_table(p.places, ','), string_to_table(p.delays, ','), string_to_table(p.sizes, ','))
        WITH ORDINALITY AS x(place, delay, size, n)
    ) e WHERE p.chunk_id = ${chunk} AND e.place::bigint = ${place}
    ORDER BY 1 LIMIT 100`.execute(ctx.db);
  // The PDUs of redacted texts are empty.
  const kept = rows.filter(({ raw }) => raw.length > 0);
  return kept.map(({ received_at, raw }) => ({
    at: received_at,
    source: 'kept',
    ...describePdu(raw, message.text !== null),
  }));
}

/** Returns the network of a message: the one that a lookup said, else that of its prefix at that time. */
async function networkOf(
  ctx: Context,
  number: string,
  at: string,
  ported: number | undefined,
): Promise<Shown['network']> {
  const networks = await readNetworksAt((text, values) => rowsOf(ctx.db, text, values), at);
  const found = ported === undefined ? networks.networkOf(number) : networks.byId(ported);
  if (!found) return null;
  const { name, country, mcc, mnc } = found;
  return { label: `${name} (${country}${mcc === null ? '' : ` ${mcc}-${mnc}`})`, ported: ported !== undefined };
}

/**
 * Returns a message with the carrier's answers to its parts, every receipt, and everything that was sent or reported
 * again.
 */
export async function oneMessage(ctx: Context, id: number): Promise<ReplyOf<typeof getMessage>> {
  const chunk = Math.floor(id / 1024);
  const only: Selection = {
    first: id,
    past: id + 1,
    start: '-infinity',
    end: 'infinity',
    corporations: null,
    campaign_id: undefined,
    link_id: undefined,
    sender_id: undefined,
    prefix: undefined,
    network: undefined,
    state: undefined,
    content_visible: ctx.caller.content_visible,
    // The answer is masked as a whole: parts of it are found by the number.
    numbers_visible: true,
  };
  const [message] = await readMessages(ctx, only, { chunks: [chunk], reached: id }, id + 1, 1);
  if (!message) throw new BusinessError('not_found');
  const queued = await ctx.db
    .selectFrom('chunk as k')
    .leftJoin('carrier_route as r', 'r.id', 'k.carrier_route_id')
    .leftJoin('user_account as u', 'u.id', 'k.user_id')
    .select(['k.ported', 'k.class', 'k.confirms_opt_out', 'k.corporation_id', 'k.user_id'])
    .select(['u.skip_blacklist', 'r.id as route_id', 'r.name as route_name'])
    .where('k.id', '=', chunk)
    .executeTakeFirstOrThrow();
  const segments = await ctx.db
    .selectFrom('submission_row')
    .innerJoin('link', 'link.id', 'submission_row.link_id')
    .select(['part', 'link.id as link_id', 'link.name as link_name', 'carrier_id', 'command_status', 'answered_at'])
    .where('chunk_id', '=', chunk)
    .where('message_id', '=', id)
    .orderBy('part')
    .$narrowType<{ part: NotNull; command_status: NotNull; answered_at: NotNull }>()
    .execute();
  const receipts = await ctx.db
    .selectFrom('receipt_row')
    .select(['part', 'carrier_id', 'state', 'error', 'received_at'])
    .where('chunk_id', '=', chunk)
    .where('message_id', '=', id)
    .where('received_at', '>=', message.created_at)
    .orderBy('received_at')
    .$narrowType<{ carrier_id: NotNull; state: NotNull; received_at: NotNull }>()
    .execute();
  const resends = await ctx.db
    .selectFrom('resend')
    .innerJoin('link', 'link.id', 'resend.link_id')
    .select(['part', 'link.name as link_name', 'resent_at'])
    .where('message_id', '=', id)
    .orderBy('part')
    .execute();
  const correction = await ctx.db
    .selectFrom('correction')
    .select(['state', 'error_code', 'amount', 'corrected_at'])
    .where('message_id', '=', id)
    .executeTakeFirst();
  // Carriers, their ids and the PDUs belong to the platform. Tenants see results and reasons.
  const platform = isAdministration(ctx.caller.scope_level);
  const known = <X>(value: X): X | null => (platform ? value : null);
  const pdus = platform
    ? [...(await sentOf(ctx, message, segments)), ...segments.map(answerOf), ...(await receivedOf(ctx, message))]
    : [];
  const network = await networkOf(ctx, message.number, message.created_at, portedAt(queued.ported, id % 1024));
  return {
    data: {
      ...message,
      network,
      segments: segments.map(({ link_id: _, link_name, carrier_id, ...segment }) => ({
        ...segment,
        link_name: known(link_name),
        carrier_id: known(carrier_id),
      })),
      pdus: pdus.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
      rules: await checksOf(ctx, { ...message, ...queued, left_at: segments[0]?.answered_at ?? null }, queued),
      route: queued.route_id === null ? null : known({ id: queued.route_id, name: queued.route_name! }),
      class: queued.class,
      removed: await removedOf(ctx, id, queued),
      receipts: receipts.map((r) => ({ ...r, carrier_id: known(r.carrier_id), part: r.part ?? 1 })),
      resends: resends.map((r) => ({ ...r, link_name: known(r.link_name) })),
      correction: correction ? { ...correction, amount: fromThousandths(correction.amount) } : null,
    },
  };
}
