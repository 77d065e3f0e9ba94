/**
 * A start that cannot go on for a reason the person who started it can mend.
 * The message is one sentence in plain words; processes print it without a stack and leave with `exitCode`.
 */
export class StartError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'StartError';
    this.exitCode = exitCode;
  }
}
