import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@heliograph/installation/start-error';
import { isPaymentRecorded } from '#modules/billing';
import {
  applyPlan,
  type Calls,
  changesAnything,
  countsOf,
  type ExtraStep,
  FaultyDocument,
  lookAt,
  makePlan,
  nameOf,
  readDocument,
  StepRefused,
  showPlan,
  type Upload,
} from '#modules/moving';
import { systemVariables } from '../platform/config/config.ts';
import { createDatabase, createPool } from '../platform/database/db.ts';
import type { ProcessContext } from '../platform/process/run-process.ts';
import { asAdministrator } from './as-administrator.ts';

/** Exit code of a plan with changes that were not applied. */
export const CHANGES_WAIT = 3;

/** Maximum wait in ms for a worker that reads the files, and the time between two looks. */
const READ_MS = 60_000;
const LOOK_MS = 500;

/** A declared installation to apply. */
export interface Applied {
  text: string;
  /** Name of the file in messages. */
  name: string;
  /** Folder from which its relative paths begin. */
  folder: string;
  as: string;
  yes: boolean;
  setSecrets: boolean;
  /** Values that stand before environment variables of the same name. */
  secrets?: ReadonlyMap<string, string>;
  /** Contents of files that are not in the folder yet. */
  files?: ReadonlyMap<string, string>;
  /** File that gets the new keys of programs; standard output without one. */
  keys: string | undefined;
}

/**
 * Shows what a declared installation would change and, with `yes`, changes it. Answers the exit code: 0 if there is
 * nothing to do, or all was done; `CHANGES_WAIT` if changes wait for `yes`. Throws a StartError for faults and refusals.
 */
export async function applyFile(context: ProcessContext, applied: Applied): Promise<number> {
  const { text, name, folder } = applied;
  const variable = (each: string) => applied.secrets?.get(each) ?? systemVariables(each)[each];
  const document = readDocument(text, { variable, folder });
  const fault = (faults: readonly { line: number; path: string; message: string }[]) =>
    new StartError(
      faults
        .map(({ line, path, message }) => `${name}:${line}: ${path === '' ? '' : `${path}: `}${message}`)
        .join('\n'),
    );
  if (document.faults.length > 0) throw fault(document.faults);
  const read = (path: string) => {
    const made = applied.files?.get(path);
    return made === undefined ? fileOf(folder, path) : { name: path, bytes: Buffer.from(made) };
  };
  for (const { fields, line, path } of document.extras) {
    const file = fields.get('file');
    if (typeof file !== 'string') continue;
    try {
      read(file);
    } catch (error) {
      throw fault([{ line, path: `${path}.file`, message: `${file} cannot be read: ${(error as Error).message}` }]);
    }
  }
  const database = createDatabase(createPool(context.config, 'owner', { max: 1 }));
  try {
    return await asAdministrator(context, applied.as, async (calls) => {
      const isDone = (step: ExtraStep) => wasDone(database, step, read);
      const plan = await makePlan(calls, document, { setSecrets: applied.setSecrets, isDone });
      for (const line of showPlan(plan)) say(line);
      const { create, change, same, other } = countsOf(plan);
      if (!changesAnything(plan)) {
        say(`Nothing to do: ${same} records are as ${name} says.`);
        return 0;
      }
      say(`${create} to create, ${change} to change, ${same} as they are, ${other} files and payments to add.`);
      if (!applied.yes) {
        say('Nothing was changed. Run this again with --yes to apply it.');
        return CHANGES_WAIT;
      }
      let done = 0;
      const uploads: Named[] = [];
      await applyPlan(calls, plan, read, {
        applied(step, row) {
          done++;
          say(`✔ ${nameOf(step)}`);
          if (step.action === 'create' && step.declared.kind.section === 'service-account-keys')
            tellKey(applied.keys, nameOf(step), { key: String(row['key']), prefix: String(row['prefix']) });
        },
        appliedExtra(step, upload) {
          done++;
          if (upload)
            uploads.push({ ...upload, title: step.declared.extra.title(Object.fromEntries(step.declared.fields)) });
          say(`✔ ${step.declared.extra.title(Object.fromEntries(step.declared.fields))}`);
        },
      }).catch((error: unknown) => {
        if (!(error instanceof StepRefused)) throw error;
        const reasons = error.reasons.length > 0 ? error.reasons : [error.message];
        throw new StartError(
          `${name}:${error.line}: ${error.path}: ${reasons.join(' ')}\n${done} changes were applied before this one. Correct the file and run this again: it continues here.`,
        );
      });
      say(`Applied ${done} changes.`);
      const whole = await readUploads(calls, uploads);
      return whole ? 0 : 1;
    });
  } catch (error) {
    throw error instanceof FaultyDocument ? fault(error.faults) : error;
  } finally {
    await database.destroy();
  }
}

type Named = Upload & { title: string };

/** Waits until a worker has read the files; answers false if a row was refused, or if no worker reads them. */
async function readUploads(calls: Calls, uploads: readonly Named[]): Promise<boolean> {
  const until = Date.now() + READ_MS;
  let whole = true;
  for (const upload of uploads) {
    let row = await lookAt(calls, upload);
    while (!['done', 'failed'].includes(row.state) && Date.now() < until) {
      await sleep(LOOK_MS);
      row = await lookAt(calls, upload);
    }
    const { rows_added, rows_duplicate, rows_rejected } = row;
    if (row.state === 'done')
      say(`  ${upload.title}: ${rows_added} added, ${rows_duplicate} there already, ${rows_rejected} refused`);
    else if (row.state === 'failed') say(`  ${upload.title}: could not be read (${row.error_code})`);
    else say(`  ${upload.title}: waits for a worker; start one before anybody sends`);
    if (rows_rejected > 0) say('  The uploads of the console have a file with the refused rows and their reasons.');
    if (row.state !== 'done' || rows_rejected > 0) whole = false;
  }
  return whole;
}

/** Writes a line to standard output. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

const fileOf = (folder: string, path: string) => ({ name: basename(path), bytes: readFileSync(resolve(folder, path)) });

/** A new key is shown only once, as in the console. */
function tellKey(file: string | undefined, name: string, { key, prefix }: { key: string; prefix: string }): void {
  const line = `${name}: user name ${prefix}, key ${key}`;
  if (file === undefined) say(`  ${line} (shown only now)`);
  else appendFileSync(file, `${line}\n`, { mode: 0o600 });
}

type Owner = ReturnType<typeof createDatabase>;

/** Tells whether a payment was recorded, or a file with the same contents was loaded for the same owner. */
async function wasDone(database: Owner, step: ExtraStep, read: (path: string) => { bytes: Buffer }): Promise<boolean> {
  const { fields } = step.declared;
  const idOf = (field: string) => step.targets.get(field)?.id;
  const reference = fields.get('reference');
  const account = idOf('billing_account_id');
  if (typeof reference === 'string')
    return account !== undefined && (await isPaymentRecorded(database, account, reference));
  const corporation = idOf('corporation_id');
  if (corporation === undefined) return false;
  const digest = createHash('sha256')
    .update(read(fields.get('file') as string).bytes)
    .digest('hex');
  const list = idOf('number_list_id');
  const found = await database
    .selectFrom('task')
    .select('id')
    .where('file_sha256', '=', digest)
    .where('corporation_id', '=', corporation)
    .where('state', '!=', 'failed')
    .$if(list !== undefined, (q) => q.where('number_list_id', '=', list!))
    .where('kind', '=', step.declared.extra.loads!)
    .executeTakeFirst();
  return found !== undefined;
}
