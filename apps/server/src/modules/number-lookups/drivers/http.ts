import type { OutboundAgent } from '#platform/outbound/agent';
import { type Asked, type LookupAnswer, type Source, splitCode } from './answer.ts';

/** Maximum bytes of an answer that are read. */
const MAX_BYTES = 1_000_000;

/** Returns the value at a path of an answer; the whole for an empty path. */
function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  return path
    .split('.')
    .reduce<unknown>(
      (inner, part) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, part) ? (inner as never)[part] : undefined,
      value,
    );
}

const textAt = (item: unknown, path: string | null): string => {
  const found = path === null ? undefined : at(item, path);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
};

function answerOf(item: unknown, source: Source): LookupAnswer {
  const mcc = textAt(item, source.mcc_path);
  const dead = source.dead_values.includes(textAt(item, source.state_path));
  const code = splitCode(source.mnc_path === null ? mcc : `${mcc}${textAt(item, source.mnc_path).padStart(2, '0')}`);
  return { code, dead };
}

/** Asks a service by HTTP for some numbers, in one call. */
export async function askHttp(
  agent: Pick<OutboundAgent, 'call'>,
  source: Source,
  numbers: readonly string[],
  authorization: string | null,
): Promise<Asked> {
  const url = (source.url ?? '').replace('{number}', numbers[0] ?? '').replace('{numbers}', numbers.join(','));
  const headers = { accept: 'application/json', ...(authorization !== null && { authorization }) };
  const reply = await agent.call({ method: 'GET', url, headers }, MAX_BYTES);
  if (reply.fault) return { answers: new Map(), fault: reply.fault };
  let body: unknown;
  try {
    body = JSON.parse(reply.body);
  } catch {
    return { answers: new Map(), fault: 'not_json' };
  }
  const found = at(body, source.items_path);
  const items = Array.isArray(found) ? found : found === undefined ? [] : [found];
  const answers = new Map<string, LookupAnswer>();
  for (const [place, item] of items.entries()) {
    const named = textAt(item, source.number_path).replace(/^(\+|00)/, '');
    // A service that is asked for one number need not name it.
    const number = source.number_path === null && numbers.length === 1 && place === 0 ? numbers[0]! : named;
    if (numbers.includes(number)) answers.set(number, answerOf(item, source));
  }
  return { answers, fault: null };
}
