import type { ApplicationRequest, Outcome, PduFrame } from '@heliograph/smpp';
import type { Segment } from '../segment.ts';

/** Side that brings receipts and messages from phones, and gets our answers to them. */
export interface Bringer {
  readonly state: string;
  respond(request: Pick<ApplicationRequest, 'command' | 'sequence'>, status: number): unknown;
  /** Row of the callback that brought a request; absent where requests are not stored before. */
  rowOf?(sequence: number): number | undefined;
}

/** Events of a link's sessions. */
export interface SessionsHandler {
  /** Whether the lanes are still ours; they may have been lost since the intent. */
  maySend(): boolean;
  /** Called when there is room, again or for the first time. */
  onRoom(): void;
  onResponses(outcomes: readonly Outcome<Segment>[]): void;
  /** Called with segments that did not leave, because their session or the lease of their lane is lost. */
  onUnsent(segments: readonly Segment[]): void;
  /** Called with a segment that the form of the link cannot carry. */
  onUnfit(segment: Segment, error: Error): void;
  onRequests(requests: readonly ApplicationRequest[], bringer: Bringer, frames: readonly PduFrame[]): void;
  /** Called when the carrier says how long it takes no more messages. */
  onPause(milliseconds: number): void;
}

/**
 * Sessions of one link with its carrier, over SMPP or HTTP: they take committed segments, and bring answers, receipts
 * and messages from phones. They connect and reconnect by themselves.
 */
export interface CarrierSessions {
  start(): void;
  /** Waits for answers in flight and closes; segments that did not leave are returned through onUnsent. */
  stop(): Promise<void>;
  /** Looks for receipts and messages from phones that were stored for these sessions. */
  look(): void;
  /** Whether a session may submit. */
  readonly isUp: boolean;
  /** Number of segments that would leave now. */
  readonly free: number;
  /** Number of segments that wait for an answer, or for room. */
  readonly inFlight: number;
  /** Sends segments; those without room wait. */
  send(segments: readonly Segment[]): void;
}
