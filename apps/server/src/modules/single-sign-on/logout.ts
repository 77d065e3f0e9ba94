import { jwtVerify } from 'jose';
import { z } from 'zod';
import { endSessions } from '#modules/identity';
import { BusinessError } from '#platform/errors';
import type { App } from '#platform/http/http';
import { useAnswer } from './attempt.ts';
import { reasonOf } from './oidc.ts';
import { type Provider, providerOf } from './read-provider.ts';
import type { SignOn } from './sign-on.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Maximum age of a logout token, and the difference of clocks that is accepted, in seconds. */
const AGE_SECONDS = 300;
const SKEW_SECONDS = 30;

/** Claims of a logout token (OpenID Connect Back-Channel Logout 1.0, 2.4). A nonce would make it an ID token. */
const claims = z
  .object({
    jti: z.string().min(1),
    exp: z.number(),
    sub: z.string().min(1).optional(),
    sid: z.string().min(1).optional(),
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

/** Ends the sessions that a logout token names; answers how many. Throws if the token is not right (2.6). */
async function logOut({ identity, descriptions }: SignOn, provider: Provider, token: string): Promise<number> {
  const { authDb, clock } = identity;
  const { metadata, keys, algorithms } = await descriptions.of(provider);
  const { payload } = await jwtVerify(token, keys, {
    issuer: metadata.issuer,
    audience: provider.client_id!,
    algorithms,
    currentDate: clock.now(),
    clockTolerance: SKEW_SECONDS,
    maxTokenAge: AGE_SECONDS,
  });
  const { jti, sub, sid } = claims.parse(payload);
  return authDb.transaction().execute(async (db) => {
    await useAnswer(db, clock.now(), 'logout', String(provider.id), jti);
    const sessions = await db
      .selectFrom('provider_session')
      .select('session_id')
      .where('identity_provider_id', '=', provider.id)
      .$if(sid !== undefined, (q) => q.where('name', '=', sid!))
      .$if(sub !== undefined, (q) => q.where('subject', '=', sub!))
      .execute();
    const ids = sessions.map(({ session_id }) => session_id);
    return endSessions(db, ids, clock.now());
  });
}

/** Mounts the address at which providers tell that a session has ended there (back-channel logout). */
export function logoutRoute(app: App, sign: SignOn): void {
  app.server.route({
    method: 'POST',
    url: '/api/v1/sso/:key/logout',
    handler: async (request, reply) => {
      const { key } = request.params as { key: string };
      const { data } = z.object({ logout_token: z.string().min(1).max(8_000) }).safeParse(request.body);
      const provider = z.uuid().safeParse(key).success && (await providerOf(sign.identity.authDb, { key }));
      if (!provider) throw new BusinessError('not_found');
      try {
        if (!data) throw new Error('there is no logout_token');
        const ended = await logOut(sign, provider, data.logout_token);
        app.log.info({ identity_provider_id: provider.id, sessions: ended }, 'sessions ended by identity provider');
        return reply.code(200).send({});
      } catch (error) {
        app.log.warn({ identity_provider_id: provider.id, reason: reasonOf(error) }, 'logout token refused');
        return reply.code(400).send({ error: 'invalid_request' });
      }
    },
  });
}
