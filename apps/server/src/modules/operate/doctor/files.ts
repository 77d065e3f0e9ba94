import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '#platform/config/config';
import type { FileStore } from '#platform/files/file-store';
import { fileStore, newFile } from '#platform/files/files';
import { asOwnerOf } from './as-owner.ts';
import { bad, type Found, ok, warn } from './finding.ts';
import { folderFix, storageFix } from './storage-fix.ts';

const PROBE_BYTES = 1_024;
const SLOW_MS = 5_000;
/** Seconds of difference from our clock at which an S3 storage refuses requests: 15 minutes. */
const REFUSED_SKEW_S = 900;
const WARNED_SKEW_S = 60;

/** Steps of the probe, in this order, and the right that each needs at an S3 storage. */
const STEPS = {
  written: 's3:PutObject',
  'read back': 's3:GetObject',
  listed: 's3:ListBucket',
  'searched for unfinished uploads': 's3:ListBucketMultipartUploads',
  deleted: 's3:DeleteObject',
} as const;
type Step = keyof typeof STEPS;

class Refused extends Error {
  readonly step: Step;
  constructor(step: Step, cause: unknown) {
    super(step, { cause });
    this.step = step;
  }
}

/**
 * Does with a small file everything that the product does with files, and leaves nothing behind; answers how long each
 * step took, in ms.
 */
async function probe(store: FileStore, local: string): Promise<Record<'write' | 'read' | 'remove', number>> {
  const [bytes, path] = [randomBytes(PROBE_BYTES), newFile('uploads', 'bin')];
  writeFileSync(local, bytes, { mode: 0o600, flag: 'wx' });
  const timed = async (step: Step, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work().catch((error: unknown) => {
      throw new Refused(step, error);
    });
    return performance.now() - began;
  };
  try {
    const write = await timed('written', () => store.keep(path, local));
    const read = await timed('read back', async () => {
      const pieces: Buffer[] = [];
      for await (const piece of await store.read(path)) pieces.push(Buffer.from(piece));
      if (!Buffer.concat(pieces).equals(bytes)) throw new Error('the file read back differs from the file written');
    });
    await timed('listed', async () => {
      for await (const _ of store.list('uploads')) break;
    });
    // The date is before all our uploads: it lists them, and removes none.
    await timed('searched for unfinished uploads', () => store.endUnfinished(new Date(0)));
    const remove = await timed('deleted', async () => {
      await store.remove(path);
      if ((await store.size(path)) !== undefined) throw new Error('the file still exists');
    });
    return { write, read, remove };
  } catch (error) {
    // If it cannot be deleted either, the nightly clean-up of unused files removes it.
    await store.remove(path).catch(() => undefined);
    throw error;
  } finally {
    rmSync(local, { force: true });
  }
}

function well(where: string, times: Awaited<ReturnType<typeof probe>>): Found {
  const [write, read, remove] = [times.write, times.read, times.remove].map((ms) => `${Math.ceil(ms)} ms`);
  const detail = `${where} works: a file was written in ${write}, read back in ${read} and deleted in ${remove}.`;
  const slow = Math.max(times.write, times.read, times.remove) > SLOW_MS;
  return slow
    ? warn(detail, 'This is slow, and uploads and exports wait for it. Check the storage and the network.')
    : ok(detail);
}

async function inFolder(config: Config): Promise<Found> {
  const [name, folder] = config.FILES_DIR
    ? ['FILES_DIR', config.FILES_DIR]
    : ['DATA_DIR/files', join(config.DATA_DIR, 'files')];
  const where = `${name} ${folder}`;
  if (!existsSync(folder)) {
    // A folder made by the program would be on this machine's own disk, invisible to the other machines.
    if (config.FILES_DIR !== undefined)
      return bad(
        `${where} does not exist.`,
        'Mount or create it, and make the account that runs Heliograph its owner.',
      );
    return ok(`${where} is created with the first file.`);
  }
  const store = fileStore(config);
  try {
    return well(where, await asOwnerOf(config.DATA_DIR, () => probeIn(store, store.drafts)));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { reason, fix } = folderFix(error.cause, { name, folder, owner: statSync(folder).uid });
    return bad(`${where}: a file cannot be ${error.step}: ${reason}.`, fix);
  }
}

async function probeIn(store: FileStore, drafts: string) {
  try {
    if (!existsSync(drafts)) mkdirSync(drafts, { mode: 0o700 });
    return await probe(store, join(drafts, `${crypto.randomUUID()}.probe`));
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('written', error);
  }
}

/** Measures by how many seconds the clock of the storage is ahead of ours; undefined if it sends no time. */
async function skewOf(address: string): Promise<number | undefined> {
  const before = Date.now();
  const answer = await fetch(address, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
  const said = Date.parse(answer?.headers.get('date') ?? '');
  // The storage sends whole seconds.
  return Number.isNaN(said) ? undefined : Math.round((said + 500 - (before + Date.now()) / 2) / 1_000);
}

async function inBucket(config: Config, bucket: string): Promise<Found[]> {
  const address = config.S3_ENDPOINT ?? `https://s3.${config.S3_REGION}.amazonaws.com`;
  const where = `The bucket ${bucket} at ${new URL(address).host}`;
  const scratch = mkdtempSync(join(tmpdir(), 'heliograph-probe-'));
  const found: Found[] = [];
  try {
    found.push(well(where, await probeIn(fileStore({ ...config, DATA_DIR: scratch }), scratch)));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { reason, fix } = storageFix(error.cause, STEPS[error.step]);
    found.push(bad(`${where}: a file cannot be ${error.step}: ${reason}.`, fix));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const skew = Math.abs((await skewOf(address)) ?? 0);
  if (skew > WARNED_SKEW_S) {
    const said = `The clocks of this machine and of the storage are ${skew} s apart`;
    const action = 'Run NTP (chrony, systemd-timesyncd) on this machine; `timedatectl` shows whether it runs.';
    found.push(
      skew < REFUSED_SKEW_S
        ? warn(`${said}. From ${REFUSED_SKEW_S} s on, the storage refuses requests.`, action)
        : bad(`${said}. The storage refuses requests from such a clock.`, action),
    );
  }
  return found;
}

/** Checks whether files can be stored in the place that the settings name. Leaves no change behind. */
export const files = (config: Config): Promise<Found | Found[]> =>
  config.S3_BUCKET === undefined ? inFolder(config) : inBucket(config, config.S3_BUCKET);
