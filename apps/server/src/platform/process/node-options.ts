/**
 * Node's own options for the sender. A small young generation is emptied more often: at full rate the sender takes some
 * 40 MB less than with Node's own choice, and is no slower (bench/HISTORY.md, sustained).
 */
export const SENDER_NODE_OPTIONS = ['--max-semi-space-size=8'] as const;
