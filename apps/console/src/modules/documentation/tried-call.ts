import { addressOf, type Filled, headersOf, type Target } from '@heliograph/contract/api/curl-command';

const LIVE_KEY = /^hk_live_/;
const TEST_KEY = /^hk_test_[\w-]{43}$/;
/** Response headers that a program evaluates. */
const HEADERS = ['idempotent-replayed', 'ratelimit-policy', 'ratelimit', 'retry-after'] as const;
const SLOWEST_MS = 60_000;
/** Time in ms for which a response without an end is read. */
const STREAM_MS = 5_000;

/**
 * Returns the reason why a key cannot be used to try calls, as the name of a sentence. A live key would send messages
 * at real cost.
 */
export function keyFault(key: string): 'no_key' | 'live_key' | 'not_a_key' | undefined {
  if (key === '') return 'no_key';
  if (LIVE_KEY.test(key)) return 'live_key';
  return TEST_KEY.test(key) ? undefined : 'not_a_key';
}

/** Returns the required parameters that are missing. */
export const missing = ({ call }: Target, { parameters }: Filled): string[] =>
  call.parameters.filter(({ name, required }) => required && !parameters[name]).map(({ name }) => name);

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Response to a call. */
export interface Answer {
  status: number;
  milliseconds: number;
  headers: readonly (readonly [name: string, value: string])[];
  /** Response body, formatted if it is JSON. */
  text: string;
  /** Set if the response repeats an earlier one for the same idempotency key. */
  replayed: boolean;
  /** Id under which the created object can be read again. */
  id: string | undefined;
  client_ref: string | undefined;
}

/**
 * Makes a call as a program would: only with the key, and without the console's session. Rejects if there is no
 * response.
 */
export async function tryCall(target: Target, filled: Filled, key: string): Promise<Answer> {
  const started = performance.now();
  const response = await fetch(addressOf(target, filled), {
    method: target.method,
    headers: [['Authorization', `Bearer ${key}`], ...headersOf(target, filled)],
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(SLOWEST_MS),
    ...(filled.body === undefined ? {} : { body: filled.body }),
  });
  const text = await textOf(response);
  const json = isJson(text) ? (JSON.parse(text) as { id?: unknown; client_ref?: unknown } | null) : null;
  const nameOf = (value: unknown) => (response.ok && typeof value === 'string' ? value : undefined);
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - started),
    headers: HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    text: json === null ? text : JSON.stringify(json, null, 2),
    replayed: response.headers.get('idempotent-replayed') === 'true',
    id: nameOf(json?.id),
    client_ref: nameOf(json?.client_ref),
  };
}

/** Returns the text of a response; of a stream of events, what arrives in the first seconds. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) return response.text();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const timer = setTimeout(() => void reader.cancel(), STREAM_MS);
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value;
  clearTimeout(timer);
  return text;
}

/** Returns a new random idempotency key. */
export const newName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (octet) => octet.toString(16).padStart(2, '0')).join('');
