/** One segment the simulator accepted or refused, as the JSON API shows it. */
export interface AcceptedSegment {
  /** Position in the log, from 1, never reused. */
  seq: number;
  /** The id in decimal; '' for a segment that was refused. */
  id: string;
  system_id: string;
  from: string;
  to: string;
  /** The segment's own text, decoded, without its UDH. */
  text: string;
  /** Concatenation reference, total and part, or null for a single segment. */
  part: { ref: number; total: number; number: number } | null;
  data_coding: number;
  esm_class: number;
  registered_delivery: number;
  /** RFC 3339, UTC. */
  received_at: string;
  outcome: string;
  receipt: 'none' | 'waiting' | 'sent' | 'acknowledged';
}

export interface LogPage {
  data: AcceptedSegment[];
  /** Pass as `after` for the next page; null at the end. */
  next: number | null;
}
