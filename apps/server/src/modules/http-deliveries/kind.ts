import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import type { Sign } from '#platform/jobs/work-watch';
import type { OutboundAnswer, OutboundCall } from '#platform/outbound/agent';
import type { Ladder } from './retry-ladder.ts';

/** Seconds for which one worker holds a delivery. The hold is longer than any call and its recording. */
export const HELD_SECONDS = 60;

/** Delivery that a worker holds and must send now. */
export interface Due {
  id: number;
  /** Id of the record that it goes to: an endpoint or a routing. */
  target: number;
  /** Address that the delivery names itself; null for the address of its target. */
  url: string | null;
  /** Number of earlier tries. */
  tries: number;
  /** True for a sample, which is tried once, also if its target is paused. */
  test: boolean;
}

/** Result of one try, as it is stored. */
export interface Attempt {
  /** RFC 3339. */
  at: string;
  status: number | null;
  fault: string | null;
  ms: number;
  /** Beginning of the answer. */
  answer: string;
}

/** Try of a delivery, and what follows. */
export interface Tried<D extends Due = Due, Target = unknown> {
  due: D;
  target: Target;
  answer: Pick<OutboundAnswer, 'type' | 'body'>;
  attempt: Attempt;
  state: 'waiting' | 'done' | 'failed';
  /** Seconds until the next try; null if none follows. */
  again: number | null;
}

/** Deliveries that were just made. */
export interface Made<D extends Due = Due> {
  /** Deliveries that the caller holds now and must send. */
  taken: D[];
  /** True if other deliveries were made, which wait for their turn. */
  left: boolean;
  /** True if there is more to make deliveries of. */
  more: boolean;
}

/** Kind of requests that leave over HTTP for customers. */
export interface DeliveryKind<D extends Due = Due, Target = unknown> {
  /** Partition of `http_delivery` that holds the kind. */
  readonly name: 'callback' | 'routing_call';
  /** Column with the id of the target. */
  readonly target: 'callback_endpoint_id' | 'routing_id';
  /** SQL of what a delivery brings along in addition to `Due`: columns, further tables, conditions on them. */
  readonly brings: { columns: string; from?: string; where?: string };
  /** SQL that joins the targets `w.id` which take calls now; samples are taken for all. */
  readonly awake?: string;
  readonly ladder: Ladder;
  /** Maximum bytes of an answer that are read, and maximum characters that are stored. */
  readonly answer: { maxBytes: number; characters: number };
  /** Calls at the same time to a receiver whose pace is not known, and to a slow one. */
  readonly calls: { first: number; least: number };
  /** Interval at which due deliveries are looked for. */
  readonly pollMs: number;
  /** Sign that there may be news. */
  readonly news?: Sign;
  /** Makes deliveries from news. The caller gets those for which `room` has space. Undefined if another worker does. */
  make?(room: (target: number) => number): Promise<Made<D> | undefined>;
  /** Reads the settings of targets by their ids. */
  readTargets(ids: readonly number[]): Promise<Map<number, Target>>;
  /** Opens encrypted texts of a delivery; returns it as it is if it has none. */
  open(due: D): D | Promise<D>;
  /** Builds the request. Returns undefined if the target takes none now, or the fault if there can be none. */
  requestOf(due: D, target: Target): OutboundCall | { fault: string } | undefined;
  /**
   * Follows up tries in the transaction that records them. `current` has the ids of those that were recorded as the
   * newest try of their delivery.
   */
  recorded(db: Kysely<Database>, tried: readonly Tried<D, Target>[], current: ReadonlySet<number>): Promise<void>;
}
