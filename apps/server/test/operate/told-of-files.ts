import { examine } from '#modules/operate';

export type Settings = Record<string, string | undefined>;

/** Settings of an installation without a database, whose ports nobody minds. */
export const bareSettings = (change: Settings): Settings => ({
  PORT: '0',
  SIMULATOR_SMPP_PORT: '0',
  SIMULATOR_HTTP_PORT: '0',
  SMPP_SERVER_PORT: '0',
  ...change,
});

/** What the doctor says of files: state, words and advice, a line each. */
export async function toldOfFiles(settings: Settings): Promise<string> {
  const findings = await examine(settings);
  return findings
    .filter(({ name }) => name === 'files')
    .map(({ state, detail, action = '' }) => `${state}: ${detail} ${action}`)
    .join('\n');
}

/** How long it takes is said; whether that is slow is the machine's affair. */
export const WELL =
  /^(ok|warn): .* takes files: one was written in \d+ ms, read back in \d+ ms and deleted in \d+ ms\. (That is slow.*)?$/;
