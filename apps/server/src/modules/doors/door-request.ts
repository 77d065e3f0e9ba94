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
