import type { KannelGroup } from './kannel-file.ts';
import type { Moved, MoveInOptions } from './moved.ts';

/** Link made of a group, with what decides its routes. */
export interface KannelLink {
  name: string;
  group: KannelGroup;
  allowed: string[];
  denied: string[];
  preferred: string[];
}

const CHARSETS: Readonly<Record<string, string>> = {
  'iso-8859-1': 'latin1',
  latin1: 'latin1',
  'windows-1252': 'latin1',
  ascii: 'ascii',
  'us-ascii': 'ascii',
  gsm: 'gsm',
};

/** Kannel's number of submits that wait for an answer, if the group names none. */
const KANNEL_WINDOW = 10;
const KANNEL_WAIT_ACK = 60;

/** Settings that need no counterpart, because the platform does the same by itself. */
const BY_ITSELF = ['reconnect-delay', 'smsc-id', 'log-file', 'log-level', 'interface-version', 'retry', 'io-thread'];

/** Makes links of the groups `smsc`; `plus` turns a prefix as Kannel writes it into digits with the country code. */
export function linksOf(
  moved: Moved,
  groups: readonly KannelGroup[],
  options: MoveInOptions,
  plus: (prefix: string) => string | undefined,
): KannelLink[] {
  const links: KannelLink[] = [];
  for (const group of groups) {
    const kind = group.text('smsc');
    const id = group.text('smsc-id') ?? group.text('host') ?? `line ${group.place.line}`;
    if (kind !== 'smpp') {
      const why =
        kind === 'http'
          ? 'Make a link over HTTP in the console, and choose its form there.'
          : 'Only SMPP and HTTP reach carriers here.';
      moved.note('refused', group.place, `smsc "${id}" is of type ${kind}. ${why}`);
      continue;
    }
    const used = links.filter(({ name }) => name === id || name.startsWith(`${id} #`)).length;
    const name = used === 0 ? id : `${id} #${used + 1}`;
    addLink(moved, group, name, options);
    links.push({ name, group, ...prefixesOf(moved, group, plus) });
  }
  return links;
}

function addLink(moved: Moved, group: KannelGroup, name: string, options: MoveInOptions): void {
  for (const own of BY_ITSELF) group.text(own);
  const password = group.text('smsc-password');
  const serviceType = group.text('service-type');
  const instances = group.number('instances');
  moved.add('links', {
    name,
    host: group.text('host'),
    port: group.number('port') ?? group.number('receive-port'),
    system_id: group.text('smsc-username'),
    password: password ? moved.secret(name, password) : undefined,
    system_type: group.text('system-type') || undefined,
    bind_mode: bindMode(moved, group),
    tls: group.flag('use-ssl') || undefined,
    binds: instances,
    window_size: Math.round(group.number('max-pending-submits') ?? KANNEL_WINDOW),
    rate: rateOf(moved, group),
    enquire_link_seconds: whole(group.number('enquire-link-interval'), 3_600),
    response_seconds: whole(group.number('wait-ack'), 600) ?? KANNEL_WAIT_ACK,
    default_charset: charsetOf(moved, group),
    ...tonNpi(group),
    parameters: serviceType ? [`service_type=service_type:cstring:${serviceType}`] : undefined,
    enabled: options.enable ? undefined : false,
  });
  if (group.text('msg-id-type') !== undefined)
    moved.note(
      'differs',
      group.placeOf('msg-id-type'),
      'The rule for the ids of receipts is learned from the first receipts.',
    );
  if (group.text('validityperiod') !== undefined)
    moved.note(
      'differs',
      group.placeOf('validityperiod'),
      'The validity is that of each message or campaign, not of a link.',
    );
  if (group.text('address-range'))
    moved.note('refused', group.placeOf('address-range'), 'The address range of the bind stays empty.');
}

function bindMode(moved: Moved, group: KannelGroup): string {
  const [port, receive] = [group.number('port'), group.number('receive-port')];
  if (group.flag('transceiver-mode')) return 'transceiver';
  if (port !== undefined && receive !== undefined && receive !== 0) {
    if (receive !== port)
      moved.note(
        'refused',
        group.placeOf('receive-port'),
        `The receiver binds to port ${port} too: a link has one port.`,
      );
    return 'transmitter_receiver';
  }
  if (port === undefined)
    moved.note('refused', group.place, 'A link that only receives is not possible: this one also sends.');
  return port === undefined ? 'transmitter_receiver' : 'transmitter';
}

const whole = (value: number | undefined, most: number): number | undefined =>
  value === undefined ? undefined : Math.min(most, Math.max(1, Math.round(value)));

function rateOf(moved: Moved, group: KannelGroup): number | undefined {
  const given = group.number('throughput');
  if (given === undefined || given === 0) return undefined;
  if (!Number.isInteger(given))
    moved.note(
      'differs',
      group.placeOf('throughput'),
      `A rate is a whole number: ${given} becomes ${Math.max(1, Math.floor(given))}.`,
    );
  return Math.max(1, Math.floor(given));
}

function charsetOf(moved: Moved, group: KannelGroup): string | undefined {
  const given = group.text('alt-charset');
  if (given === undefined) return undefined;
  const charset = CHARSETS[given.toLowerCase()];
  if (charset === undefined)
    moved.note(
      'refused',
      group.placeOf('alt-charset'),
      `The charset ${given} is not possible for data_coding 0; the link uses GSM.`,
    );
  return charset;
}

function tonNpi(group: KannelGroup): Record<string, string | undefined> {
  const pair = (side: string): string | undefined => {
    const [ton, npi] = [group.number(`${side}-addr-ton`), group.number(`${side}-addr-npi`)];
    return ton === undefined && npi === undefined ? undefined : `${ton ?? 1}/${npi ?? 1}`;
  };
  const source = pair('source');
  // With autodetection, which is usual, Kannel writes names of senders as 5/0 whatever the group says.
  const fixed = group.flag('source-addr-autodetect') === false;
  return {
    alphanumeric_ton_npi: fixed ? source : undefined,
    short_code_ton_npi: source,
    number_ton_npi: source,
    destination_ton_npi: pair('dest'),
  };
}

function prefixesOf(moved: Moved, group: KannelGroup, plus: (prefix: string) => string | undefined) {
  const read = (name: string): string[] =>
    group.list(name).flatMap((prefix) => {
      const digits = plus(prefix);
      if (digits === undefined)
        moved.note(
          'refused',
          group.placeOf(name),
          `The prefix ${prefix} has no country code, and unified-prefix names none for it.`,
        );
      return digits === undefined ? [] : [digits];
    });
  return { allowed: read('allowed-prefix'), denied: read('denied-prefix'), preferred: read('preferred-prefix') };
}

const covers = (prefixes: readonly string[], prefix: string) => prefixes.some((each) => prefix.startsWith(each));

/** Makes a route for each prefix that the links name, and one for the other numbers. */
export function addRoutes(moved: Moved, links: readonly KannelLink[]): void {
  const prefixes = [...new Set(links.flatMap(({ allowed, preferred }) => [...allowed, ...preferred]))].sort();
  for (const prefix of [...prefixes, '']) {
    const may = links.filter(
      ({ allowed, denied }) =>
        (allowed.length === 0 || (prefix !== '' && covers(allowed, prefix))) && !covers(denied, prefix),
    );
    if (may.length === 0) {
      if (prefix === '' && links.length > 0)
        moved.note(
          'differs',
          links[0]!.group.place,
          'Kannel sends nothing to numbers outside the allowed prefixes. Here they take any enabled link: limit them with a rule of sending limits or rates.',
        );
      continue;
    }
    const preferred = may.filter((link) => covers(link.preferred, prefix));
    moved.add('carrier-routes', {
      name: prefix === '' ? 'Kannel' : `Kannel ${prefix}`,
      prefix: prefix === '' ? undefined : prefix,
      links: may.map((link) => ({
        link: link.name,
        position: preferred.length === 0 || preferred.includes(link) ? 1 : 2,
        weight: 1,
      })),
    });
  }
  for (const { group, denied } of links)
    for (const prefix of denied)
      if (!prefixes.some((each) => covers([prefix], each)))
        moved.note(
          'refused',
          group.placeOf('denied-prefix'),
          `A route cannot leave out a prefix: make one for ${prefix} with the other links.`,
        );
}
