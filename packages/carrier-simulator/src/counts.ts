/** Counts since the start or the last reset. */
export interface SimulatorCounts {
  submits: number;
  accepted: number;
  refused: number;
  throttled: number;
  unanswered: number;
  receipts_sent: number;
  receipts_acknowledged: number;
  mo_sent: number;
  binds: number;
}

export const ZERO: SimulatorCounts = {
  submits: 0,
  accepted: 0,
  refused: 0,
  throttled: 0,
  unanswered: 0,
  receipts_sent: 0,
  receipts_acknowledged: 0,
  mo_sent: 0,
  binds: 0,
};
