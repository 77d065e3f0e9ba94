// chunk id = UTC day << 28 | sequence, message id = chunk id << 10 | place. Both are below 2^53 but longer than 32
// bits. JavaScript's bit operators would cut them, so plain arithmetic is used.

/** Maximum messages of a chunk; ids have room for 1,024. */
export const CHUNK_SIZE = 1_000;

const PLACES = 1_024;
const MESSAGES_A_DAY = 2 ** 38;
const DAY_MS = 86_400_000;

/** Answers the id of the message at a place (0..1023) of a chunk. */
export const messageId = (chunkId: number, place: number): number => chunkId * PLACES + place;

/** Answers the id of a message's chunk. */
export const chunkOf = (messageId: number): number => Math.floor(messageId / PLACES);

/** Answers the place of a message in its chunk. */
export const placeOf = (messageId: number): number => messageId % PLACES;

/** Answers the start of the UTC day of the message's partition, in epoch milliseconds. */
export const dayOf = (messageId: number): number => Math.floor(messageId / MESSAGES_A_DAY) * DAY_MS;

/** Answers the smallest chunk id of the UTC day of a time in epoch milliseconds. */
export const firstChunkOfDay = (epochMs: number): number => Math.floor(epochMs / DAY_MS) * 2 ** 28;
