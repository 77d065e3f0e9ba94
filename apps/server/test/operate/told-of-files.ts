import { examine } from '#modules/operate';

export type Settings = Record<string, string | undefined>;

/** Settings of an installation without a database, with ports that do not matter. */
export const bareSettings = (change: Settings): Settings => ({
  PORT: '0',
  SIMULATOR_SMPP_PORT: '0',
  SIMULATOR_HTTP_PORT: '0',
  PAYMENT_SIMULATOR_PORT: '0',
  SMPP_SERVER_PORT: '0',
  ...change,
});

/** Returns the doctor's findings about files: state, words and advice, one per line. */
export async function toldOfFiles(settings: Settings): Promise<string> {
  const findings = await examine(settings);
  return findings
    .filter(({ name }) => name === 'files')
    .map(({ state, detail, action = '' }) => `${state}: ${detail} ${action}`)
    .join('\n');
}

/** Finding for a working storage. It states the time taken; whether that is slow depends on the machine. */
export const WELL =
  /^(ok|warn): .* works: a file was written in \d+ ms, read back in \d+ ms and deleted in \d+ ms\. (This is slow.*)?$/;
