export { addEvents, type NewEvent } from './add-events.ts';
export { EVENTS, type Event, fromNow, readEvents, UNREAD, unreadAfter, waitingSince } from './read-events.ts';
