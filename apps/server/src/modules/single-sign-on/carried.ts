import type { Identity } from '#modules/identity';
import { open, seal } from '#platform/process/seal';
import type { Known } from './people.ts';

/** Time in ms within which the browser must bring a checked response from one address of ours to the other. */
const CARRY_MS = 120_000;
const CONTEXT = 'single sign-on response';

type Sealer = Pick<Identity, 'key' | 'clock'>;
interface Carried {
  known: Known;
  /** Id of the request that was answered. */
  request: string;
}

/** Seals a checked response for its way through the browser, from the address for providers to our own page. */
export function carry({ key, clock }: Sealer, provider: string, { known, request }: Carried): string {
  return seal(key, JSON.stringify({ known, request, provider, until: clock.now().getTime() + CARRY_MS }), CONTEXT);
}

/** Opens a response that the browser brought, if it is for this provider and request. Throws an Error otherwise. */
export function carried({ key, clock }: Sealer, sealed: string, wanted: { provider: string; request: string }): Known {
  const { known, request, provider, until } = JSON.parse(open(key, sealed, CONTEXT)) as Carried & {
    provider: string;
    until: number;
  };
  if (provider !== wanted.provider || request !== wanted.request || until <= clock.now().getTime())
    throw new Error('the response is of another sign-in, or too old');
  return known;
}
