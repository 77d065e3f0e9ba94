import type { Answered, Command } from './jasmin-session.ts';
import type { Moved, MoveInOptions } from './moved.ts';

/** Route of Jasmin as a list shows it. */
interface Route extends Answered {
  type: string;
  rate: number;
  connectors: string[];
  filters: string[];
}

const CONNECTOR = /(smppc|smpps|http)\(([^)]+)\)/g;
const FILTER = /<[^>]*>/g;

/** Reads the routes of a list, the highest order first, as Jasmin tries them. */
function routesOf(commands: readonly Command[], manager: string): Route[] {
  const lines = commands
    .filter((each) => each.manager === manager && each.action === 'l')
    .flatMap(({ answer }) => answer);
  const routes = lines.flatMap((line): (Route & { order: number })[] => {
    const [, order, type, rest] = /^#(\d+)\s+(\w+Route)\s+(.*)$/.exec(line.text) ?? [];
    if (order === undefined) return [];
    const rate = /^(\d+(?:\.\d+)?)/.exec(rest!)?.[1];
    return [
      {
        ...line,
        order: Number(order),
        type: type!,
        rate: Number(rate ?? 0),
        connectors: [...rest!.matchAll(CONNECTOR)].map(([, kind, id]) => `${kind} ${id}`),
        filters: [...rest!.matchAll(FILTER)]
          .map(([filter]) => filter)
          .filter((filter) => !/Transparent|<T>/.test(filter)),
      },
    ];
  });
  return routes.sort((a, b) => b.order - a.order);
}

/** Returns the first digits that a filter by the destination asks for; undefined for any other filter. */
function prefixOf(filter: string): string | undefined {
  const pattern = /dst_addr=(.*?)\)?>$/.exec(filter)?.[1];
  return pattern === undefined
    ? undefined
    : /^\^?(?:\\?\+)?(\d{1,15})(?:\.\*|\.\+|\\d\+|\\d\*|\[0-9\][+*])?\$?$/.exec(pattern)?.[1];
}

/** Makes carrier routes and prices of the MT routes. */
export function addMtRoutes(moved: Moved, commands: readonly Command[], plan: string, { today }: MoveInOptions): void {
  const taken = new Set<string>();
  for (const route of routesOf(commands, 'mtrouter')) {
    const prefixes = route.filters.map(prefixOf);
    if (prefixes.includes(undefined) || prefixes.length > 1) {
      moved.note(
        'refused',
        route,
        `A route by ${route.filters.join(', ')} is not possible: routes go by the first digits of numbers, by corporation, sender ID, class and network.`,
      );
      continue;
    }
    const prefix = prefixes[0] ?? '';
    if (taken.has(prefix)) {
      moved.note('refused', route, 'A route above it takes all of its messages.');
      continue;
    }
    taken.add(prefix);
    const failover = route.type.startsWith('Failover');
    moved.add('carrier-routes', {
      name: prefix === '' ? 'Jasmin' : `Jasmin ${prefix}`,
      prefix: prefix === '' ? undefined : prefix,
      links: route.connectors.map((connector, at) => ({
        link: connector.replace(/^smppc /, ''),
        position: failover ? at + 1 : 1,
        weight: 1,
      })),
    });
    if (route.rate === 0) continue;
    const charge = (Math.ceil(route.rate * 1_000 - 1e-6) / 1_000).toFixed(3);
    if (Math.abs(Number(charge) - route.rate) > 1e-9)
      moved.note('differs', route, `A price has three decimals: ${route.rate} becomes ${charge}.`);
    if (prefix === '') moved.change('price-plans', plan, { default_charge: charge });
    else moved.add('rates', { price_plan: plan, rate_zone: 'API', prefix, charge, starts_on: today });
  }
}

/** Makes inbound routings of the MO routes that call an address. */
export function addMoRoutes(moved: Moved, commands: readonly Command[], { corporation, numbers }: MoveInOptions): void {
  const addresses = new Map<string, { method: string; url: string }>();
  for (const { text } of commands.filter((each) => each.manager === 'httpccm').flatMap(({ answer }) => answer)) {
    const [, id, method, url] = /^#(\S+)\s+\S+\s+(GET|POST)\s+(\S+)/i.exec(text) ?? [];
    if (id !== undefined) addresses.set(id, { method: method!.toUpperCase(), url: url! });
  }
  for (const route of routesOf(commands, 'morouter')) {
    const [first = ''] = route.connectors;
    const address = addresses.get(first.replace(/^http /, ''));
    if (!address) {
      const why = first.startsWith('http ')
        ? 'The answer of "httpccm -l" is missing for it.'
        : 'A program that binds by SMPP gets replies if its system ID receives them.';
      moved.note('refused', route, `A routing to ${first} is not possible. ${why}`);
      continue;
    }
    if (route.connectors.length > 1)
      moved.note('differs', route, 'A routing calls one address: the first of the connectors.');
    const to = route.filters.map(prefixOf).find((number) => number !== undefined);
    const word = route.filters
      .map((filter) => /msg=\^?(\w{1,40})/.exec(filter)?.[1])
      .find((each) => each !== undefined);
    if (route.filters.length > Number(to !== undefined) + Number(word !== undefined)) {
      moved.note(
        'refused',
        route,
        `A routing by ${route.filters.join(', ')} is not possible: routings go by number and keyword.`,
      );
      continue;
    }
    const targets = to === undefined ? numbers : [to];
    if (targets.length === 0)
      moved.note(
        'refused',
        route,
        'It does not say to which number phones write. Name it with --number 2345, once for each number.',
      );
    for (const number of targets)
      moved.add('routings', { corporation, number, keyword: word, action: 'url', ...address });
  }
}
