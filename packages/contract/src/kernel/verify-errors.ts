/** Errors of verifications and of the services that they belong to. */
export const VERIFY_ERRORS = {
  verify_service_already_exists: { status: 409 },
  verification_over: { status: 409 },
  verification_resend_soon: { status: 429 },
  verification_resends_used: { status: 409 },
  verification_refused: { status: 403 },
} as const;
