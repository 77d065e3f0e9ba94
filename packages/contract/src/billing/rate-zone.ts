import { z } from 'zod';
import { label } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

const input = z.object({ name: label(30), enabled: z.boolean() });

/**
 * Origin of a message, for its price. WEB (console and test sends) and API (programs, SMPP) are built in and keep their
 * names; the operator adds others. Rates of a zone that is switched off are not used.
 */
export const rateZone = resource({
  name: 'rate-zones',
  row: input.extend({ built_in: z.boolean() }),
  create: input.extend({ enabled: z.boolean().default(true) }),
  update: input.partial(),
  filters: z.object({ enabled: z.stringbool().optional() }),
  sort: ['name', 'created_at'],
  title: 'name',
  conflicts: { rate_zone_name_key: 'rate_zone_already_exists' },
});

/** Zone of messages from the console, and from programs. */
export const ZONE_NAMES = { web: 'WEB', api: 'API' } as const;
