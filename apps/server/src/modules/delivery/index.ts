export { cancelRest } from './cancel-rest.ts';
export { anyLinkEnabled, type ChunkShared, type NewMessage, openChunkWriter, wakeSenders } from './enqueue.ts';
export { chunkOf, messageId } from './message-id.ts';
export { openPricedWriter, type PricedMessage } from './priced-writer.ts';
export { enqueueMessages } from './routed-writer.ts';
export { Sender } from './sender.ts';
export { passwordContext } from './sending/link.ts';
export { handOverTimes } from './sending/link-sender.ts';
export { tryBind } from './sending/test-bind.ts';
