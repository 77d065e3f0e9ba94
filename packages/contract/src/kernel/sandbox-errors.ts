/** Errors of the sandbox for test keys. */
export const SANDBOX_ERRORS = {
  // A corporation has handed in as many test messages today as it may.
  sandbox_full: { status: 429 },
  test_key_required: { status: 403 },
} as const;
