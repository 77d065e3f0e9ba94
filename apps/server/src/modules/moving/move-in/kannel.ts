import { readFileSync } from 'node:fs';
import { StartError } from '@heliograph/installation/start-error';
import { type KannelGroup, readKannel } from './kannel-file.ts';
import { addRoutes, linksOf } from './kannel-links.ts';
import { addPrograms, addSender, addServices } from './kannel-programs.ts';
import { Moved, type MoveInOptions } from './moved.ts';

/** Groups that become records; the others have no counterpart. */
const KNOWN = ['core', 'smsbox', 'smsc', 'sendsms-user', 'sms-service'];

/** Makes a declared installation of a Kannel configuration. Throws a StartError for a file that Kannel refuses too. */
export function moveFromKannel(file: string, options: MoveInOptions): Moved {
  const groups = readKannel(file);
  const moved = new Moved('kannel');
  const of = (name: string) => groups.filter((group) => group.name === name);
  const [core] = of('core');
  const plus = prefixReader(core?.text('unified-prefix'));
  moved.addCorporation(options.corporation);
  if (core)
    moved.note(
      'differs',
      core.place,
      'Kannel has no prices: the price plan charges nothing. Change its default_charge.',
    );
  const links = linksOf(moved, of('smsc'), options, plus);
  addRoutes(moved, links);
  addPrograms(moved, of('sendsms-user'), options);
  addServices(moved, of('sms-service'), options);
  const [box] = of('smsbox');
  const sender = box?.text('global-sender');
  if (sender !== undefined) addSender(moved, options.corporation, sender);
  for (const group of groups) noteLists(moved, group, options.blocked.length > 0);
  for (const list of options.blocked) block(moved, options, list);
  for (const group of groups) {
    if (!KNOWN.includes(group.name)) {
      moved.note('refused', group.place, `The group "${group.name}" has no counterpart here.`);
      continue;
    }
    const rest = group.rest();
    if (rest.length > 0)
      moved.note(
        'refused',
        group.place,
        `Settings of the group "${group.name}" without a counterpart: ${rest.join(', ')}.`,
      );
  }
  return moved;
}

/** Settings that name addresses of lists; Kannel fetches them by HTTP only. */
const BLACK_LISTS = ['black-list', 'black-list-receiver', 'black-list-sender', 'black-list-regex'];
const WHITE_LISTS = ['white-list', 'white-list-receiver', 'white-list-sender', 'white-list-regex'];

function noteLists(moved: Moved, group: KannelGroup, blocked: boolean): void {
  for (const setting of WHITE_LISTS)
    if (group.text(setting) !== undefined)
      moved.note('refused', group.placeOf(setting), 'A list of the only numbers that get messages is not possible.');
  for (const setting of BLACK_LISTS) {
    const address = group.text(setting);
    if (address === undefined) continue;
    const fix = `Fetch ${address} into a file, and name it with --blocked FILE.`;
    if (setting === 'black-list-regex')
      moved.note('refused', group.placeOf(setting), 'Numbers are blocked one by one, not by a pattern.');
    else if (!blocked)
      moved.note('refused', group.placeOf(setting), `The blocked numbers are not in this file. ${fix}`);
  }
}

/** Blocks the numbers of a file with one in each line; nobody on it gets messages of the corporation. */
function block(moved: Moved, { corporation }: MoveInOptions, file: string): void {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`The file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const numbers = text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '');
  if (numbers.length === 0) return;
  const name = moved.keepFile('blocked', ['number', ...numbers]);
  moved.add('blacklist-files', { corporation, file: name });
}

/**
 * Returns a reader of prefixes by `unified-prefix`, such as `+63,0063,0;+,00`: each part names the form with the country
 * code, then the beginnings that stand for it.
 */
function prefixReader(rule: string | undefined): (prefix: string) => string | undefined {
  const forms = (rule ?? '')
    .split(';')
    .map((part) => part.split(',').map((each) => each.trim()))
    .filter(([to]) => to !== undefined && to !== '');
  return (written) => {
    for (const [to, ...from] of forms) {
      const start = from.find((each) => each !== '' && written.startsWith(each));
      if (start !== undefined) return digits(`${to}${written.slice(start.length)}`);
    }
    return digits(written);
  };
}

/** Returns the digits of a prefix with its country code; undefined if it begins with a single zero. */
function digits(prefix: string): string | undefined {
  const plain = prefix.replace(/^\+/, '').replace(/^00/, '');
  return /^[1-9]\d{0,14}$/.test(plain) ? plain : undefined;
}
