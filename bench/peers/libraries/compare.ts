import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { debianPackage } from '../../harness/debian-package.ts';
import { type House, inHouse, openLine, reached, run, tell } from '../../harness/house.ts';
import { checkMoney } from '../../harness/meters.ts';
import { readOptions } from '../../harness/options.ts';
import { type Figure, report } from '../../harness/report.ts';
import { queueMessages } from '../../harness/tenant.ts';

// Compares bare libraries, which submit and store nothing, with our bare session and with our whole product, which
// claims, commits an intent before each submit, and records and charges each answer. All submit to the same kind of
// carrier without receipts, one after another, over one bind with the same window.

const { count, window, rounds } = readOptions({ count: 200_000, window: 1_000, rounds: 3 });
const TEXT = 'Your order is on its way and will arrive before noon today. Thank you for shopping with us.';
const LIMIT_SECONDS = 300;
const runFile = promisify(execFile);

const carrierOf = (house: House) =>
  house.start('simulator-process.ts', { SIMULATOR_SETTINGS: JSON.stringify({ faults: { no_receipt: 1 } }) });

interface Client {
  name: string;
  command: (house: House) => Promise<{ file: string; args: string[]; environment?: Record<string, string> }>;
  /** Share of `count` that it submits; a slow one gets fewer. */
  share: number;
}

async function perl(house: House): Promise<Record<string, string>> {
  const has = await runFile('perl', ['-MNet::SMPP', '-e', '1']).then(
    () => true,
    () => false,
  );
  if (has) return {};
  const root = debianPackage('libnet-smpp-perl', house.folder);
  return root === '/' ? {} : { PERL5LIB: join(root, 'usr/share/perl5') };
}

const script = (name: string) => join(import.meta.dirname, name);

const CLIENTS: readonly Client[] = [
  { name: 'npm_smpp', share: 0.5, command: async () => ({ file: process.execPath, args: [script('npm-smpp.ts')] }) },
  {
    name: 'perl_net_smpp',
    share: 0.5,
    command: async (house) => ({ file: 'perl', args: [script('net-smpp.pl')], environment: await perl(house) }),
  },
  {
    name: 'own_session',
    share: 1,
    command: async () => ({ file: process.execPath, args: [script('own-session.ts')] }),
  },
];

/** Submits by a bare client; returns submits a second and its processor time for one, in µs. */
async function bare(house: House, { command, share }: Client): Promise<[number, number]> {
  const carrier = await carrierOf(house);
  const { file, args, environment = {} } = await command(house);
  const messages = Math.round(count * share);
  const given = [...args, String(carrier.ready.port), String(messages), String(window), TEXT];
  const { stdout } = await runFile(file, given, {
    env: { ...process.env, ...environment },
    timeout: LIMIT_SECONDS * 1_000,
  });
  await carrier.stop();
  const { seconds, cpu } = JSON.parse(stdout) as { seconds: number; cpu: number };
  return [messages / seconds, (cpu / messages) * 1e6];
}

/** Submits by the whole product; returns submits a second and the processor time of its sender for one, in µs. */
async function product(house: House): Promise<[number, number]> {
  const line = await openLine(house, await carrierOf(house), { window });
  const campaign = await queueMessages(line.tenant, count);
  const { cpu: before } = await line.sender.ask('stats');
  const started = performance.now();
  await run(line.tenant, campaign);
  await reached(line.tenant, campaign, 'submitted', count, LIMIT_SECONDS);
  const seconds = (performance.now() - started) / 1_000;
  const { cpu: after } = await line.sender.ask('stats');
  await checkMoney(line, campaign, count);
  return [count / seconds, ((after! - before!) / count) * 1e6];
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!;

const seen = new Map<string, [number, number][]>();
for (let round = 0; round < rounds; round++) {
  for (const client of [...CLIENTS, undefined]) {
    await inHouse(async (house) => {
      const name = client?.name ?? 'product';
      const figures = client ? await bare(house, client) : await product(house);
      tell(`  ${name}: ${Math.round(figures[0]).toLocaleString('en')}/s`);
      seen.set(name, [...(seen.get(name) ?? []), figures]);
    });
  }
}
const figures: Figure[] = [...seen].flatMap(([name, runs]) => [
  { figure: `${name}_submits_per_second`, value: median(runs.map(([rate]) => rate)), unit: '1/s' },
  { figure: `${name}_cpu_us_per_submit`, value: median(runs.map(([, cpu]) => cpu)), unit: 'µs' },
]);
if (figures.length > 0) report('libraries', figures);
