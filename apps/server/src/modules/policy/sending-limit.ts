import { toThousandths } from '@heliograph/contract/kernel/money';
import { sendingLimit } from '@heliograph/contract/policy/sending-limit';
import { sql } from 'kysely';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const stored = tableStore(sendingLimit, {
  table: 'sending_limit',
  from: 'sending_limit_row',
  searched: ['name', 'corporation_name', 'user_name', 'api_key_name', 'sender_id_name'],
});

/** Tables of the records that a limit may single out, by field, with the kind of limit. */
const SINGLED_OUT = {
  user_id: { kind: 'user', table: 'user_account' },
  api_key_id: { kind: 'api_key', table: 'api_key' },
  sender_id_id: { kind: 'sender_id', table: 'sender_id' },
} as const;

interface Measures {
  kind: string;
  messages: number | null;
  spend: string | null;
}

/** Throws on the field that does not fit the kind of limit. A limit has either a number of messages or a cost. */
function checkMeasure({ kind, messages, spend }: Measures): void {
  if (kind === 'message' && messages !== null) throw fieldError('messages', 'limit_price_only');
  if (kind === 'recipient' && spend !== null) throw fieldError('spend', 'limit_messages_only');
  if (messages !== null && spend !== null) throw fieldError('spend', 'limit_one_measure');
  if (spend !== null && toThousandths(spend) === 0) throw fieldError('spend', 'too_small', { count: '0.001' });
  if (messages === null && spend === null) throw fieldError(kind === 'message' ? 'spend' : 'messages', 'required');
}

async function checkSubject(ctx: Context, body: { corporation_id: number; kind: string } & Record<string, unknown>) {
  const within = sql<boolean>`corporation_id = ${body.corporation_id}`;
  for (const [field, { kind, table }] of Object.entries(SINGLED_OUT)) {
    const id = body[field] as number | null;
    if (id === null) continue;
    if (kind !== body.kind) throw fieldError(field, 'limit_other_kind');
    await requireVisible(ctx, table, id, field, within);
  }
}

/** Limits of messages and money. A limit that somebody above set cannot be changed or deleted by those below. */
export const sendingLimits: ResourceHandlers<typeof sendingLimit> = {
  ...stored,
  async create(ctx, call) {
    await requireVisible(ctx, 'corporation', call.body.corporation_id, 'corporation_id');
    checkMeasure(call.body);
    await checkSubject(ctx, call.body);
    return stored.create(ctx, call);
  },
  async update(ctx, call) {
    const { data: before } = await stored.get(ctx, { params: call.params, query: {}, body: {} });
    checkMeasure({ ...before, ...call.body } as Measures);
    return stored.update(ctx, call);
  },
};
