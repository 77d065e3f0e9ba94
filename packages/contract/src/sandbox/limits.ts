/** Limits of a corporation's test messages. They keep tests from slowing live traffic. */
export const SANDBOX_LIMITS = {
  /** Messages a second. */
  rate: 50,
  /** Messages a day (UTC). */
  perDay: 10_000,
  /** Days for which handsets keep their messages. */
  days: 7,
} as const;
