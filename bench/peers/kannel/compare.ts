import { type House, inHouse, openLine, reached, run, tell } from '../../harness/house.ts';
import { checkMoney } from '../../harness/meters.ts';
import { readOptions } from '../../harness/options.ts';
import { type Figure, report } from '../../harness/report.ts';
import { queueMessages } from '../../harness/tenant.ts';
import { type Drive, driveKannel } from './drive.ts';
import { ensureKannel } from './install.ts';

// Compares Debian's Kannel with our pipeline, one after the other on the same machine, each over its own carrier
// simulator with the same receipts. Kannel gets its messages at bearerbox and spools to its file store, its fastest one
// that survives a restart, but not a power cut. It runs in several configurations each time, and the fastest counts.
// Ours does everything that it always does: every row, receipt and charge is committed and synchronized to disk before
// the carrier gets its answer. The clock of each runs from its first message to the last receipt that the carrier saw
// acknowledged and that, with us, is recorded. The time for which the carrier holds every receipt back is subtracted
// from both.

const { count, seconds, window } = readOptions({ count: 300_000, seconds: 12, window: 2_000 });
const OUR_LIMIT_SECONDS = 90;

interface Setting {
  name: string;
  text: string;
  target: number;
  receipts: { receipt_delay_ms: number; receipt_jitter_ms: number };
  drives: Drive[];
}

const SOON = { receipt_delay_ms: 100, receipt_jitter_ms: 0 };
const LATE = { receipt_delay_ms: 1_500, receipt_jitter_ms: 1_000 };

/** Returns the configurations of Kannel that are worth a try. */
function drives(storage: Drive['storage'], aheads: readonly number[]): Drive[] {
  const [first = 5_000, second = first, third = first] = aheads;
  return [
    { binds: 1, window: 1_000, boxes: 1, ahead: first, storage },
    { binds: 4, window: 100, boxes: 1, ahead: second, storage },
    { binds: 4, window: 100, boxes: 4, ahead: third, storage },
  ];
}

const SETTINGS: readonly Setting[] = [
  {
    name: 'memory',
    text: 'receipts known in memory',
    target: 6,
    receipts: SOON,
    drives: drives('internal', [5_000, 1_000, 5_000]),
  },
  {
    name: 'postgresql',
    text: 'receipts known in PostgreSQL',
    target: 25,
    receipts: SOON,
    drives: drives('pgsql', [5_000, 1_000, 5_000]),
  },
  {
    name: 'late',
    text: 'receipts 2 s late and shuffled, known in memory',
    target: 100,
    receipts: LATE,
    drives: drives('internal', [5_000, 5_000, 2_500]),
  },
];

const simulator = (house: House, { receipts }: Setting) =>
  house.start('simulator-process.ts', { SIMULATOR_SETTINGS: JSON.stringify(receipts) });

const heldSeconds = ({ receipts }: Setting): number => receipts.receipt_delay_ms / 1_000;

async function kannelsBest(house: House, setting: Setting): Promise<Figure[]> {
  const kannel = ensureKannel(house.folder);
  const load = { count, seconds, held: heldSeconds(setting) };
  let [best, lost] = [0, 0];
  for (const drive of setting.drives) {
    const carrier = await simulator(house, setting);
    const driven = await driveKannel(house, kannel, carrier, drive, load);
    await carrier.stop();
    const { binds, boxes, ahead } = drive;
    const setUp = `${binds} bind${binds > 1 ? 's' : ''}, ${boxes} feeding, ${ahead.toLocaleString('en')} ahead`;
    tell(`  Kannel with ${setUp}: ${Math.round(driven.rate).toLocaleString('en')}/s`);
    if (driven.rate > best) [best, lost] = [driven.rate, driven.lost];
  }
  return [
    { figure: `kannel_${setting.name}_per_second`, value: best, unit: '1/s' },
    { figure: `kannel_${setting.name}_receipts_lost`, value: lost, unit: '' },
  ];
}

async function ours(house: House, setting: Setting): Promise<Figure[]> {
  const line = await openLine(house, await simulator(house, setting), { window });
  const queuedAt = performance.now();
  const campaign = await queueMessages(line.tenant, count);
  const queueing = (performance.now() - queuedAt) / 1_000;
  const started = performance.now();
  await run(line.tenant, campaign);
  await reached(line.tenant, campaign, 'delivered', count, OUR_LIMIT_SECONDS);
  const elapsed = (performance.now() - started) / 1_000 - heldSeconds(setting);
  await checkMoney(line, campaign, count);
  return [
    { figure: `ours_${setting.name}_per_second`, value: count / elapsed, unit: '1/s' },
    { figure: `ours_${setting.name}_with_queueing_per_second`, value: count / (elapsed + queueing), unit: '1/s' },
  ];
}

const figures: Figure[] = [];
for (const setting of SETTINGS) {
  await inHouse(async (house) => {
    tell(setting.text);
    const theirs = await kannelsBest(house, setting);
    const own = await ours(house, setting);
    const rate = own[0]!.value;
    tell(`  ours: ${Math.round(rate).toLocaleString('en')}/s`);
    const ratio = {
      figure: `${setting.name}_ratio`,
      value: rate / theirs[0]!.value,
      unit: `× (${setting.target} wanted)`,
    };
    figures.push(...theirs, ...own, ratio);
  });
}
if (figures.length > 0) report('kannel', figures);
