export { cancelChunksOf, cancelRest, cancelUnsent } from './cancel-rest.ts';
export { describePdu } from './describe-pdu.ts';
export { describeSubmits } from './describe-submits.ts';
export {
  anyLinkEnabled,
  type ChunkShared,
  type NewMessage,
  openChunkWriter,
  WAKE_SENDERS,
  wakeSenders,
} from './enqueue.ts';
export { type HeldSending, heldMessages, heldSince, holdSending, releaseSending } from './hold-sending.ts';
export { INBOUND } from './inbound/hand-on.ts';
export { chunkOf, messageId } from './message-id.ts';
export { openPricedWriter, type PricedMessage } from './priced-writer.ts';
export { enqueueMessages, type RoutedGroup, writeRouted } from './routed-writer.ts';
export { Sender } from './sender.ts';
export { passwordContext } from './sending/link.ts';
export { handOverTimes } from './sending/link-sender.ts';
export { tryBind } from './sending/test-bind.ts';
