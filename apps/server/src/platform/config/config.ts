import { StartError } from '@heliograph/installation/start-error';
import { z } from 'zod';
import { type SettingNote, settings } from './settings.ts';

const PORTS_OF_ONE_MACHINE = [
  'PORT',
  'SIMULATOR_SMPP_PORT',
  'SIMULATOR_HTTP_PORT',
  'PAYMENT_SIMULATOR_PORT',
  'SMPP_SERVER_PORT',
  'SMPP_SERVER_TLS_PORT',
  'DATABASE_PORT',
] as const;

/** Settings that need each other. */
const PAIRS = [
  ['SMPP_SERVER_TLS_CERT', 'SMPP_SERVER_TLS_KEY'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
] as const;

const schema = z.object(settings);

/** The settings, parsed. Names are those of the environment variables; DATA_DIR is absolute. */
export type Config = Readonly<z.infer<typeof schema>>;

/** Settings of a process that has a database to talk to. */
export type ConnectedConfig = Config & { readonly DATABASE_URL: string };

/** Every setting with its description, in the order of the table in docs/operations.md. */
export const settingNotes = Object.entries(settings).map(([name, setting]) => ({
  name,
  ...(setting.meta() as unknown as SettingNote),
}));

/** Collects the settings that have a value; an empty value counts as unset. */
function givenSettings(environment: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.keys(settings)
      .map((name) => [name, environment[name]?.trim()] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
}

function faultOf(name: string, given: Readonly<Record<string, string | undefined>>): string {
  const note = settingNotes.find((setting) => setting.name === name);
  const value = note?.secret ? 'has an invalid value' : `is "${given[name]}"`;
  return `The setting ${name} ${value}: it must be ${note?.allowed}.`;
}

/**
 * Reads the settings from environment variables; an empty value counts as unset.
 * Throws a StartError (exit code 2) whose one line names the setting, its value and what is allowed.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = givenSettings(environment);
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new StartError(faultOf(String(parsed.error.issues[0]?.path[0]), given), 2);
  const config = parsed.data;
  for (const [one, other] of PAIRS) {
    if ((config[one] === undefined) !== (config[other] === undefined))
      throw new StartError(`The settings ${one} and ${other} are used together: set both or neither.`, 2);
  }
  if (config.S3_BUCKET !== undefined && config.FILES_DIR !== undefined)
    throw new StartError('The settings S3_BUCKET and FILES_DIR name two places for files: set only one of them.', 2);
  if (config.S3_BUCKET === undefined && config.S3_ENDPOINT !== undefined)
    throw new StartError('The setting S3_ENDPOINT needs S3_BUCKET: set both or neither.', 2);
  if (config.SMPP_SERVER_TLS_PORT !== undefined && config.SMPP_SERVER_TLS_CERT === undefined)
    throw new StartError(
      'The setting SMPP_SERVER_TLS_PORT needs SMPP_SERVER_TLS_CERT: set both or only the latter.',
      2,
    );
  for (const [index, name] of PORTS_OF_ONE_MACHINE.entries()) {
    const twin = PORTS_OF_ONE_MACHINE.slice(0, index).find((other) => config[other] === config[name]);
    if (twin && config[name]) {
      throw new StartError(
        `The settings ${twin} and ${name} are both ${config[name]}: each must be a different port.`,
        2,
      );
    }
  }
  return Object.freeze(config);
}

/** Lists all faults of the settings, a sentence each; `readConfig` throws the first of them. */
export function configFaults(environment: Readonly<Record<string, string | undefined>> = process.env): string[] {
  const given = givenSettings(environment);
  const parsed = schema.safeParse(given);
  if (!parsed.success) return [...new Set(parsed.error.issues.map(({ path }) => faultOf(String(path[0]), given)))];
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/**
 * As `readConfig`, for processes that are started one by one and therefore need a PostgreSQL of the operator's.
 * `fallback` answers another address if DATABASE_URL is unset. Throws a StartError (exit code 2) if there is none.
 */
export function readConnectedConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  fallback: (config: Config) => string | undefined = () => undefined,
): ConnectedConfig {
  const config = readConfig(environment);
  const url = config.DATABASE_URL ?? fallback(config);
  if (url === undefined) {
    throw new StartError(
      'The setting DATABASE_URL is unset: this command needs a PostgreSQL. Set it to postgres://user:password@host:5432/database (only `npm start` runs a PostgreSQL of its own).',
      2,
    );
  }
  return { ...config, DATABASE_URL: url };
}

/** Reads variables of the system that are no settings of ours, to pass on to a child process. */
export function systemVariables(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, process.env[name]]).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Answers the environment of this process with `settings` added or replaced: for our own child processes. */
export function environmentWith(settings: Readonly<Record<string, string>>): Record<string, string | undefined> {
  return { ...process.env, ...settings };
}
