import type { FastifyInstance, FastifyRequest } from 'fastify';

// Parts that requests to the interfaces of other gateways have in common.

/** Parameters of a request as octets: the request says in which alphabet a text is written. */
export type Parameters = ReadonlyMap<string, Buffer>;

/** Request that is refused, with the other gateway's own sentence where it has one. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/**
 * Reads parameters as addresses and forms have them: `+` is a space, and `%41` an octet. Of two with one name the first
 * counts. `names` has other names of parameters.
 */
export function parametersOf(encoded: string, names: Readonly<Record<string, string>> = {}): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const pair of encoded.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    const key = octets(name).toString('latin1');
    const known = names[key] ?? key;
    if (!found.has(known)) found.set(known, octets(value));
  }
  return found;
}

/** Returns the parameters of an address. */
export function addressParameters(address: string, names: Readonly<Record<string, string>> = {}): Map<string, Buffer> {
  const start = address.indexOf('?');
  return start < 0 ? new Map() : parametersOf(address.slice(start + 1), names);
}

/** Keeps the octets of bodies up to `most`: the request names their alphabet, so nothing may read them before. */
export function keepOctets(server: FastifyInstance, most: number): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: most }, (_request, body, done) => done(null, body));
}

/** Returns name and password of a basic proof (RFC 7617); undefined without one. */
export function basicOf({ headers }: Pick<FastifyRequest, 'headers'>): { name: string; key: string } | undefined {
  const encoded = /^Basic ([\w+/=-]+)$/i.exec(headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString('latin1');
  const end = pair.indexOf(':');
  return end < 0 ? undefined : { name: pair.slice(0, end), key: pair.slice(end + 1) };
}

const octets = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16))),
    'latin1',
  );

/** Returns a parameter as text; empty without it. */
export const textOf = (parameters: Parameters, name: string): string => parameters.get(name)?.toString() ?? '';

/** Reads the members of a JSON body as parameters. Throws `Refused` for other bodies. */
export function membersOf(body: Buffer): Map<string, Buffer> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch {
    throw new Refused(400, 'The body is not JSON.');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Refused(400, 'The body is not a JSON object.');
  return new Map(
    Object.entries(parsed).map(([name, value]) => [
      name,
      Buffer.from(typeof value === 'object' ? JSON.stringify(value) : String(value)),
    ]),
  );
}
