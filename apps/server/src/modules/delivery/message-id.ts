// chunk id = UTC day << 28 | sequence, message id = chunk id << 10 | place. Both are below 2^53 but beyond 32 bits, so
// JavaScript's bit operators would cut them: plain arithmetic it is.

/** Messages a chunk holds at most; ids have room for 1,024. */
export const CHUNK_SIZE = 1_000;

const PLACES = 1_024;
const MESSAGES_A_DAY = 2 ** 38;
const DAY_MS = 86_400_000;

/** The id of the message at a place (0..1023) of a chunk. */
export const messageId = (chunkId: number, place: number): number => chunkId * PLACES + place;

/** The chunk a message belongs to. */
export const chunkOf = (messageId: number): number => Math.floor(messageId / PLACES);

/** The place of a message in its chunk. */
export const placeOf = (messageId: number): number => messageId % PLACES;

/** Start of the UTC day whose partition holds the message, in epoch milliseconds. */
export const dayOf = (messageId: number): number => Math.floor(messageId / MESSAGES_A_DAY) * DAY_MS;

/** The smallest chunk id of the UTC day of a moment in epoch milliseconds. */
export const firstChunkOfDay = (epochMs: number): number => Math.floor(epochMs / DAY_MS) * 2 ** 28;
