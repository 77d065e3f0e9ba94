import { z } from 'zod';
import { signIn } from '../identity/session.ts';
import { email } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';

/** Key of a provider, in the addresses that the provider knows. */
export const providerKey = z.uuid();

/** Path of the console's page to which providers send people back; the key of the provider follows. */
export const SIGN_ON_PATH = '/sso';

/** Path of one of our own screens. It matches no address that a browser could read as another host. */
const ownScreen = z
  .string()
  .max(500)
  .regex(/^\/[a-z](?!.*[\\\p{Cc}])/u, { error: 'own_screen' });

/**
 * Begins a sign-in by the provider of an email's domain, or by the provider of a key. Returns the address at which it
 * goes on; null if the domain has no provider. Nothing in the answer depends on whether the person exists.
 */
export const beginSignOn = operation({
  method: 'POST',
  path: '/api/v1/sso/begin',
  session: 'public',
  permission: null,
  body: z.object({
    email: email.optional(),
    key: providerKey.optional(),
    /** Screen to open afterwards. */
    from: ownScreen.optional(),
  }),
  reply: z.object({ url: z.string().nullable() }),
  errors: ['not_found', 'sign_on_unreachable'],
});

/** Ends a sign-in with the parameters that the provider sent the browser back with. */
export const finishSignOn = operation({
  method: 'POST',
  path: '/api/v1/sso/finish',
  session: 'public',
  permission: null,
  body: z.object({
    key: providerKey,
    answer: z.record(z.string().max(100), z.string().max(8_000)),
  }),
  reply: signIn.reply.extend({ from: z.string().nullable() }),
  errors: [
    'sign_on_failed',
    'sign_on_denied',
    'sign_on_unreachable',
    'sign_on_email_unverified',
    'sign_on_email_domain',
    'sign_on_no_account',
    'sign_on_no_role',
    'sign_on_other_person',
    'account_disabled',
  ],
});
