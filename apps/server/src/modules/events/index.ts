export { addEvents, type NewEvent } from './add-events.ts';
export { EVENTS_CHANNEL, type Event, fromNow, readEvents } from './read-events.ts';
