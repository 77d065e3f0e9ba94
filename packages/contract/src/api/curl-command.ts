import type { OpenApiCall } from './openapi-fields.ts';

/**
 * Values that a person entered for a call: its parameters by name, and the body as text. The body is undefined if the
 * call has none.
 */
export interface Filled {
  parameters: Readonly<Record<string, string>>;
  body: string | undefined;
}

/** Call of the document, and its method and path. */
export interface Target {
  method: string;
  path: string;
  call: OpenApiCall;
}

/** Environment variable from which commands read the key. The key never appears in a copied command. */
const KEY_VARIABLE = 'HELIOGRAPH_API_KEY';

/** Returns the path with its parameters and its query. */
export function addressOf({ path, call }: Target, { parameters }: Filled): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
  const query = new URLSearchParams();
  for (const { name, in: place } of call.parameters)
    if (place === 'query' && parameters[name]) query.set(name, parameters[name]);
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** Returns the headers of a call besides its key. */
export function headersOf({ call }: Target, { parameters, body }: Filled): [name: string, value: string][] {
  const own = call.parameters.flatMap(({ name, in: place }) =>
    place === 'header' && parameters[name] ? [[name, parameters[name]] as [string, string]] : [],
  );
  return body === undefined ? own : [['Content-Type', 'application/json'], ...own];
}

/** Returns a text quoted for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the same call as a command. The command reads the key from the environment. */
export function curlOf(base: string, target: Target, filled: Filled): string {
  return [
    `curl --request ${target.method} ${quoted(base + addressOf(target, filled))}`,
    `--header "Authorization: Bearer $${KEY_VARIABLE}"`,
    ...headersOf(target, filled).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(filled.body === undefined ? [] : [`--data ${quoted(filled.body)}`]),
  ].join(' \\\n  ');
}
