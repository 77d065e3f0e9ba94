import type { Sql } from '#platform/database/queryable';
import { rowsOf } from '#platform/database/queryable';
import { CODE_KEY, isSealed, placedText, readPlaced } from '#platform/text/sealed-text';
import { type KeyConfig, openerOf } from '#platform/text/text-keys';
import type { ChunkContext, ClosedText, Message } from '../segment.ts';

/** Chunk or its messages, with the id that their places name. */
const ofChunk = ({ id, corporation_id, common_text }: ChunkContext) =>
  placedText(common_text, corporation_id, `c${id}`);
const ofMessage = ({ id, chunk, text }: Message) => placedText(text, chunk.corporation_id, `m${id}`);

/** Tells whether the messages of a chunk are encrypted: all are, or none. */
const isSealedChunk = (messages: readonly Message[]): boolean =>
  messages.length > 0 && (isSealed(messages[0]!.chunk.common_text) || isSealed(messages[0]!.text));

/**
 * Opens the encrypted texts of messages that will be sent, chunk by chunk. A text whose key was destroyed, or that does
 * not belong to its row, is marked with the reason. Without encrypted texts nothing is read. Throws if the key of the
 * installation is another one.
 */
export async function openTexts(
  client: Sql,
  config: KeyConfig,
  chunks: readonly (readonly Message[])[],
): Promise<void> {
  const sealed = chunks.filter(isSealedChunk).flat();
  if (sealed.length === 0) return;
  const contexts = [...new Set(sealed.map(({ chunk }) => chunk))];
  const texts = [...contexts.map(ofChunk), ...sealed.map(ofMessage)].filter((text) => text !== null);
  const open = await openerOf(client, config, texts, undefined, { whole: true });
  const opened = (placed: string): { text: string; closed?: ClosedText } => {
    const result = open(placed);
    if ('text' in result) return result;
    return { text: '', closed: result.closed === 'unreadable' ? 'text_unreadable' : 'text_key_destroyed' };
  };
  for (const context of contexts) {
    const placed = ofChunk(context);
    if (placed === null || !isSealed(placed)) continue;
    const { text, closed } = opened(placed);
    noteKey(context, placed);
    context.common_text = text;
    if (closed) context.closed = closed;
  }
  for (const message of sealed) {
    const placed = ofMessage(message);
    if (placed === null || !isSealed(placed)) continue;
    const { text, closed } = opened(placed);
    noteKey(message.chunk, placed);
    message.text = text;
    if (closed) message.closed = closed;
  }
}

/** Notes the key of a chunk that may be destroyed before its messages leave. Texts with codes have none of their own. */
function noteKey(chunk: ChunkContext, placed: string): void {
  const number = readPlaced(placed)?.number ?? CODE_KEY;
  if (number !== CODE_KEY) chunk.text_key = number;
}

/** Reason for which a message cannot be read; undefined if it can. */
export const closedOf = ({ text, closed, chunk }: Message): ClosedText | undefined =>
  chunk.destroyed ? 'text_key_destroyed' : text === null ? chunk.closed : closed;

/**
 * Marks chunks whose key was destroyed since their messages were read. Undefined without encrypted texts: nothing is
 * read then.
 */
export function closeDestroyed(client: Sql, chunks: readonly ChunkContext[]): Promise<void> | undefined {
  const sealed = chunks.filter(({ text_key }) => text_key !== undefined);
  return sealed.length === 0 ? undefined : closeIfDestroyed(client, sealed);
}

async function closeIfDestroyed(client: Sql, sealed: readonly ChunkContext[]): Promise<void> {
  const rows = await rowsOf<{ corporation_id: number; number: number }>(
    client,
    "SELECT corporation_id, number FROM text_key WHERE corporation_id = ANY ($1::bigint[]) AND state = 'destroyed'",
    [[...new Set(sealed.map(({ corporation_id }) => corporation_id))]],
  );
  for (const chunk of sealed)
    if (rows.some(({ corporation_id, number }) => corporation_id === chunk.corporation_id && number === chunk.text_key))
      chunk.destroyed = true;
}
