const verification = {
  id: '5021',
  service: '3',
  to: '639170000001',
  status: 'pending',
  language: 'en',
  attempts_left: 5,
  resends_left: 3,
  resend_at: '2026-11-30T08:30:30Z',
  messages: [{ id: '5734912000000', state: 'delivered', error_code: null }],
  parts: 1,
  price: '0.600',
  currency: 'PHP',
  client_ref: 'login-42',
  created_at: '2026-11-30T08:30:00Z',
  expires_at: '2026-11-30T08:40:00Z',
  done_at: null,
  test: false,
};
const ended = { attempts_left: 0, resends_left: 0, resend_at: null, done_at: '2026-11-30T08:30:21Z' };
const approved = { ...verification, ...ended, status: 'approved' };
const resent = { resends_left: 2, resend_at: '2026-11-30T08:31:10Z', parts: 2, price: '1.200' };

/** Examples of answers about verifications, by the names of their calls. */
export const VERIFICATION_EXAMPLES = {
  startVerification: verification,
  checkVerification: approved,
  resendVerification: { ...verification, ...resent },
  cancelVerification: { ...approved, status: 'cancelled' },
  getVerification: approved,
};
