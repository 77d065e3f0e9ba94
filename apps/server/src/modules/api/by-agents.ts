import { AsyncLocalStorage } from 'node:async_hooks';
import type { KeyHolder } from './keyring.ts';

const within = new AsyncLocalStorage<true>();

/**
 * Does work of the interface of agents, for which alone their keys are good: elsewhere a program could send with such a
 * key without a quote, and a key that leaked from an agent would open more than the agent had (RFC 8707).
 */
export const byAgents = <Result>(work: () => Result): Result => within.run(true, work);

/** Tells if the interface of agents makes the present call. */
export const isByAgents = (): boolean => within.getStore() === true;

/** Tells if a key is one of an agent. */
export const isForAgents = ({ doors }: Pick<KeyHolder, 'doors'>): boolean =>
  doors.has('agents') || doors.has('agents_write');
