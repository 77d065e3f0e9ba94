/**
 * Node's own options for the sender. A small young generation is emptied more often and stays in the processor's cache:
 * at full rate the sender takes 50 MB less and a fifth less of the processor than with Node's own choice.
 */
export const SENDER_NODE_OPTIONS = ['--max-semi-space-size=8'] as const;
