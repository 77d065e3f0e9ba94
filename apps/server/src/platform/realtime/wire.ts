import { MAX_PAYLOAD_BYTES } from '../fan-out/transport.ts';

// The Pusher protocol, version 7, and how events travel between processes.

/** An event of a channel. */
export interface LiveEvent {
  channel: string;
  event: string;
  data: unknown;
}

/** A message of the protocol for a client. */
export const frame = (event: string, data: unknown, channel?: string): string =>
  JSON.stringify({ event, ...(channel && { channel }), data: JSON.stringify(data) });

/** Answers the text members of an object that a client sent; the protocol uses no others. */
export function wordsOf(sent: unknown): Record<string, string | undefined> {
  const members = typeof sent === 'object' && sent !== null ? Object.entries(sent) : [];
  return Object.fromEntries(members.filter((member): member is [string, string] => typeof member[1] === 'string'));
}

/** Reads a message of a client or of another process; undefined if it is no JSON object. */
export function messageOf(text: string): { event?: unknown; channel?: unknown; data?: unknown } | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Reads an event of another process; undefined if it is none, because anybody on the network may have sent it. */
export function eventOf(text: string): LiveEvent | undefined {
  const { channel, event, data = {} } = messageOf(text) ?? {};
  return typeof channel === 'string' && typeof event === 'string' ? { channel, event, data } : undefined;
}

/** Writes an event as text for other processes. Data that is too large is replaced by a hint to read again. */
export function payload(channel: string, event: string, data: object): string {
  const whole = JSON.stringify({ channel, event, data });
  const carried = Buffer.byteLength(whole) <= MAX_PAYLOAD_BYTES;
  return carried ? whole : JSON.stringify({ channel, event, data: { reread: true } });
}
