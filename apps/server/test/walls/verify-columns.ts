/** Values of the columns of verify services and verifications that take no word or number. */
export const VERIFY_COLUMNS = {
  'verify_service.senders': () => '{Canary}',
  'verify_service.code_length': () => 6,
  'verify_service.resend_pause': () => 30,
  'verify_service.texts': () => '[]',
  'verify_service.language': () => 'en',
  'verify_service.format': () => 'plain',
  'verify_service.app_hash': () => null,
  'verify_service.origin_host': () => null,
  'verify_service.countries': () => '{PH}',
  'verify_service.guard': () => 'shadow',
  'verification.language': () => 'en',
  'verification.state': () => 'approved',
  'verification.message_ids': () => '{}',
  'verification.decision': () => 'would_refuse',
  'verification.signals': (_: unknown, word: string) =>
    JSON.stringify([{ signal: 'reputation', figure: null, limit: null, reason: word }]),
  'verification.is_test': () => false,
};
