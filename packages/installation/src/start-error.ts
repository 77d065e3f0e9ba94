/**
 * Error that ends a start for a reason that the person who started it can fix. The message is one sentence in plain
 * words; processes print it without a stack and exit with `exitCode`.
 */
export class StartError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'StartError';
    this.exitCode = exitCode;
  }
}
