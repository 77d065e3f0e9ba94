/** Business errors of identity providers and of the sign-in by them. */
export const SIGN_ON_ERRORS = {
  sign_on_required: { status: 409 },
  sign_on_failed: { status: 422 },
  sign_on_denied: { status: 422 },
  sign_on_unreachable: { status: 503 },
  sign_on_email_unverified: { status: 422 },
  sign_on_email_domain: { status: 422 },
  sign_on_no_account: { status: 422 },
  sign_on_no_role: { status: 422 },
  sign_on_other_person: { status: 422 },
  domain_not_proved: { status: 422 },
  domain_taken: { status: 409 },
  identity_provider_already_exists: { status: 409 },
} as const;
