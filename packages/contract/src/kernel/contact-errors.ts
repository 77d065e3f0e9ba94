/** Errors of number lists, contacts and consents. */
export const CONTACT_ERRORS = {
  number_list_already_exists: { status: 409 },
  numbers_already_added: { status: 409 },
  numbers_already_blacklisted: { status: 409 },
  contact_already_exists: { status: 409 },
  contact_field_already_exists: { status: 409 },
  contact_fields_full: { status: 409 },
  segment_already_exists: { status: 409 },
  segment_too_large: { status: 422 },
  segment_incomplete: { status: 422 },
  contacts_too_many: { status: 409 },
  contact_import_over: { status: 409 },
  opt_out_kept: { status: 409 },
  consent_kept: { status: 409 },
} as const;
