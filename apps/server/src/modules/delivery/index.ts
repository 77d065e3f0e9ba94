export { cancelRest } from './cancel-rest.ts';
export {
  type ChunkShared,
  defaultLink,
  enqueueMessages,
  type NewMessage,
  openChunkWriter,
  wakeSenders,
} from './enqueue.ts';
export { chunkOf, messageId } from './message-id.ts';
export { Sender } from './sender.ts';
export { passwordContext } from './sending/link.ts';
export { handOverTimes } from './sending/link-sender.ts';
