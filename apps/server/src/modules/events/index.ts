export { addEvents, type NewEvent } from './add-events.ts';
export { EVENTS, type Event, fromNow, readEvents, waitingSince } from './read-events.ts';
