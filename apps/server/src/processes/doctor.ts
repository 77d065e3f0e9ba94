import { parseArgs } from 'node:util';
import { StartError } from '@heliograph/installation/start-error';
import { examine } from '#modules/operate';
import { failStart } from '../platform/process/shutdown.ts';

// `npm run doctor [-- --json]`: checks everything and changes nothing. Exit code 0 if all is well, 1 for faults that
// can wait until the morning, 2 for faults that cannot.

const MARK = { ok: '✔', warn: '!', bad: '✖' } as const;

function readArguments(): { json: boolean } {
  try {
    return parseArgs({ options: { json: { type: 'boolean', default: false } } }).values as { json: boolean };
  } catch (error) {
    throw new StartError(`${(error as Error).message} Usage: npm run doctor [-- --json]`, 2);
  }
}

try {
  const { json } = readArguments();
  const findings = await examine();
  if (json) process.stdout.write(`${JSON.stringify(findings, null, 1)}\n`);
  else {
    const width = Math.max(...findings.map(({ name }) => name.length));
    for (const { name, state, detail, action } of findings) {
      process.stdout.write(`${MARK[state]} ${name.padEnd(width)}  ${detail}\n`);
      if (action !== undefined) process.stdout.write(`  ${' '.repeat(width)}  → ${action}\n`);
    }
  }
  const has = (wanted: string) => findings.some(({ state }) => state === wanted);
  // The process ends without waiting for checks that do not answer.
  process.stdout.write('', () => process.exit(has('bad') ? 2 : has('warn') ? 1 : 0));
} catch (error) {
  failStart(error);
}
