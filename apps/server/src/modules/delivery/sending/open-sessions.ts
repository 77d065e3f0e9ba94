import type { Logger } from '#platform/log';
import type { CarrierConfig } from '#platform/outbound/outbound';
import type { CallbackFeed } from '../http-links/callback-feed.ts';
import { HttpSessions } from '../http-links/http-sessions.ts';
import type { CallbackAddresses } from '../http-links/request-form.ts';
import type { PostgresSession } from '../postgres-session.ts';
import { VirtualCarrier } from '../virtual-carrier/virtual-carrier.ts';
import { VirtualSessions } from '../virtual-carrier/virtual-sessions.ts';
import { Binds } from './binds.ts';
import type { CarrierSessions, SessionsHandler } from './carrier-sessions.ts';
import type { Link } from './link.ts';
import type { LinkReport } from './link-report.ts';
import type { LinkTests } from './link-tests.ts';
import type { SubmitFields } from './submit-fields.ts';

/** Needs of a link over HTTP, and of the virtual carrier. */
export interface HttpParts {
  /** Addresses of ours that the link's carrier calls. */
  addresses: CallbackAddresses;
  /** Receipts and replies that callbacks and polls have stored. */
  feed: CallbackFeed;
  /** Session in which they are read and written. */
  session: PostgresSession;
}

interface Parts {
  link: Link;
  /** Undefined if it cannot be opened with this server's key. */
  password: string | undefined;
  http: HttpParts | undefined;
  config: CarrierConfig;
  /** Test messages, which the handler never sees. */
  tests: LinkTests | undefined;
  log: Logger;
}

/** Makes the sessions of a link, by its protocol. */
export function openSessions(
  parts: Parts,
  fields: SubmitFields,
  all: SessionsHandler,
  report: LinkReport,
): CarrierSessions {
  const { tests } = parts;
  const handler = tests?.apartFrom(all) ?? all;
  const sessions = sessionsOf(parts, fields, handler, report);
  tests?.goBy({ send: (segment) => sessions.send([segment]), mayLeave: () => sessions.isUp && all.maySend() });
  return sessions;
}

function sessionsOf(parts: Parts, fields: SubmitFields, handler: SessionsHandler, report: LinkReport): CarrierSessions {
  const { link, http, log } = parts;
  if (link.virtual && http) {
    const carrier = new VirtualCarrier(link.id, http.session);
    return new VirtualSessions({ carrier, feed: http.feed, handler, report, log });
  }
  if (link.http && http)
    return new HttpSessions({ ...parts, ...http, link: { ...link, http: link.http }, handler, report });
  return new Binds(parts, (session, segment) => fields.submit(session, segment, Date.now()), handler, report);
}

/** Answers a link's id and its windows in segments: over HTTP, the places in its parallel requests. */
export const windowOf = ({ id, http, window_size, binds }: Link): Pick<Link, 'id' | 'window_size' | 'binds'> =>
  http ? { id, window_size: window_size * http.recipients, binds: 1 } : { id, window_size, binds };
