import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { LOCALES } from '../kernel/scope.ts';

// The first screen of the console loads this file, and not that of the records and their uploads.

/** Returns the edited texts by full key, for a console that already has the program's own texts. */
export const languageTexts = operation({
  method: 'GET',
  path: '/api/v1/languages/texts',
  permission: null,
  session: 'public',
  query: z.object({ locale: z.enum(LOCALES) }),
  reply: z.record(z.string(), z.string()),
});
