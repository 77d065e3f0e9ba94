import { type ChunkContext, chunkContext, type Message } from '../segment.ts';
import type { OpenChunk } from './read-chunks.ts';

/** A chunk whose messages are in memory, or on their way. */
export interface LoadedChunk {
  context: ChunkContext;
  /** Place of the first message that was not taken. */
  cursor: number;
  size: number;
  /** Messages from place `from` on; undefined while they are being read. */
  messages: Message[] | undefined;
  from: number;
  /** Row that brought its messages, until they are read from it. */
  row: OpenChunk | undefined;
}

/** Makes the entry of a chunk that was found. */
export function loadedChunk(row: OpenChunk): LoadedChunk {
  const { cursor, size } = row;
  const brought = row.msisdns === null ? undefined : row;
  return { context: chunkContext(row), cursor, size, messages: undefined, from: cursor, row: brought };
}

/** Counts the messages of chunks that were not taken. */
export function inMemory(chunks: Iterable<LoadedChunk>): number {
  let sum = 0;
  for (const { size, cursor } of chunks) sum += size - cursor;
  return sum;
}
