import { FIGURE_OF_STATE } from '@heliograph/contract/kernel/figures';
import { MESSAGE_STATES, type MessageState } from '@heliograph/contract/kernel/states';
import type pg from 'pg';
import { dateIn } from '../../src/platform/records/period.ts';

const DAY = 86_400_000;
/** Returns the last days of a time zone, including today. */
export const lastDays = (zone: string, days = 7) => ({
  from: dateIn(zone, new Date(Date.now() - (days - 1) * DAY)),
  to: dateIn(zone, new Date()),
});
/** Figures of a selection of messages, each by its one definition. */
export type Truth = Record<(typeof FIGURE_OF_STATE)[MessageState], number> & {
  accepted: number;
  parts: number;
  spend: number;
  states: Record<string, number>;
};

/** Counts the messages that match `where`, one by one. */
export async function countFigures(owner: pg.Pool, where: string, values: unknown[] = []): Promise<Truth> {
  const { rows } = await owner.query<{
    state: MessageState;
    n: number;
    accepted: number;
    parts: number;
    spend: number;
  }>(
    `SELECT r.state, count(*)::int AS n, count(*) FILTER (WHERE a.first)::int AS accepted, sum(a.parts)::int AS parts,
       sum(r.charge)::int AS spend
     FROM message_row r CROSS JOIN LATERAL (
       SELECT count(*) AS parts, coalesce(bool_or(part = 1), false) AS first FROM submission_row s
       WHERE s.chunk_id = r.id >> 10 AND s.message_id = r.id AND s.command_status = 0) a
     WHERE ${where} GROUP BY 1`,
    values,
  );
  const figures: Truth = {
    ...{ pending: 0, submitted: 0, delivered: 0, expired: 0, cancelled: 0, failed: 0, blocked: 0 },
    ...{ accepted: 0, parts: 0, spend: 0 },
    states: Object.fromEntries(MESSAGE_STATES.map((state) => [state, 0])),
  };
  for (const { state, n, accepted, parts, spend } of rows) {
    figures[FIGURE_OF_STATE[state]] += n;
    figures.states[state] = n;
    figures.accepted += accepted;
    figures.parts += parts;
    figures.spend += spend;
  }
  return figures;
}

/** Returns the figures that the statistics store. */
export const traffic = ({ accepted: messages, parts, delivered, failed, blocked, expired }: Truth) => ({
  messages,
  parts,
  delivered,
  failed,
  blocked,
  expired,
});
