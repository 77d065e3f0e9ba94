export { addEvents, type NewEvent } from './add-events.ts';
export {
  EVENTS,
  type Event,
  type EventFilter,
  fixRound,
  fromNow,
  readEvents,
  testsAmong,
  UNREAD,
  unreadAfter,
  waitingSince,
} from './read-events.ts';
export { fromTime } from './replay.ts';
