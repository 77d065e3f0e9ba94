/** What can be changed while the simulator runs; PATCH /api/settings takes any part of it. */
export interface SimulatorSettings {
  /** Segments a second and system_id before ESME_RTHROTTLED; 0 is unlimited. */
  rate: number;
  /** Time from the response to the receipt, in milliseconds. */
  receipt_delay_ms: number;
  /** A random part on top of receipt_delay_ms, which also shuffles receipts. */
  receipt_jitter_ms: number;
  /** How ids are written in submit_sm_resp and in receipts. */
  response_id_format: 'decimal' | 'hex';
  receipt_id_format: 'decimal' | 'hex';
  /** Receipts carry TLVs, the Appendix B text, or both. */
  receipt_style: 'both' | 'text' | 'tlv';
  /** Magic numbers have their special outcomes. */
  magic_numbers: boolean;
  /** Shares (0..1) of ordinary numbers that meet a fault, and how long a late answer takes. */
  faults: {
    no_response: number;
    late_response: number;
    late_response_ms: number;
    throttled: number;
    rejected: number;
    undeliverable: number;
    duplicate_receipt: number;
    no_receipt: number;
  };
  /** Accepted passwords by system_id; an empty table takes every bind. */
  accounts: Record<string, string>;
}
