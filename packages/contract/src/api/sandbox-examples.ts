const at = '2026-11-30T08:30:09Z';
const reply = { id: '5710', direction: 'sent', with: 'ACME', text: 'YES', parts: 1, state: null, at };
const code = {
  ...reply,
  id: '5734912000000',
  direction: 'received',
  text: 'Your code is 482913.',
  state: 'delivered',
  at: '2026-11-30T08:30:02Z',
};

/** Examples of answers of the sandbox, by the names of their calls. */
export const SANDBOX_EXAMPLES = {
  listHandsets: { data: [{ number: '639170000001', messages: 1, last_at: code.at }] },
  listHandsetMessages: { data: [reply, code] },
  replyFromHandset: { id: reply.id, from: '639170000001', to: 'ACME', received_at: at },
  moveSandboxTime: { seconds: 3_600, receipts: 2, messages: 1, verifications: 0 },
};
