import { z } from 'zod';

/** Name of what a person did, as programs report it with a conversion. */
export const conversionName = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,39}$/, { error: 'conversion_name' });
