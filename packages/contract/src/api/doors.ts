import { z } from 'zod';

/**
 * Interfaces besides `/v1`: those of other gateways, for programs written for them, and that of agents. Each is off until a
 * key opens it.
 */
export const DOORS = ['kannel', 'jasmin', 'twilio', 'vonage', 'agents', 'agents_write'] as const;
export type Door = (typeof DOORS)[number];

const OF_AGENTS: readonly Door[] = ['agents', 'agents_write'];

/** Interfaces that a key opens. Those of agents stand alone: nothing else takes the key of an agent. */
export const doors = z
  .array(z.enum(DOORS))
  .refine(
    (opened) => !opened.some((door) => OF_AGENTS.includes(door)) || opened.every((door) => OF_AGENTS.includes(door)),
    {
      error: 'agents_alone',
    },
  );

/** Path at which programs written for Kannel send. */
export const KANNEL_PATH = '/cgi-bin/sendsms';

/** Paths at which programs written for Jasmin send, and ask for a price and for the balance. */
export const JASMIN_PATHS = { send: '/send', rate: '/rate', balance: '/balance' } as const;

/** Path at which programs written for Vonage send. */
export const VONAGE_PATH = '/sms/json';
