import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/log.ts';

/** Fills an empty database with the demo. The people of `user_account` come last, or in one transaction with the rest. */
export async function seedDemo({ log }: { url: string; config: Config; log: Logger }): Promise<void> {
  log.debug('the demo has no parts yet');
}
