import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addressLimit } from '#modules/identity';
import { BusinessError } from '#platform/errors';
import type { App } from '#platform/http/http';
import { useAnswer } from './attempt.ts';
import { carry } from './carried.ts';
import { addressesOf, providerOf } from './read-provider.ts';
import { readResponse, samlOf } from './saml.ts';
import { noteFault, type SignOn } from './sign-on.ts';

const BODY_BYTES = 512 * 1024;

const form = z.object({ SAMLResponse: z.string().min(1), RelayState: z.string().max(200).optional() });

const keyOf = (params: unknown): string | undefined => z.object({ key: z.uuid() }).safeParse(params).data?.key;

/**
 * Mounts our metadata, and the address to which providers of SAML send their responses. Another site posts them, so the
 * browser sends no cookie of ours: the checked response goes on, sealed, to our own page, which proves the browser.
 */
export function samlRoutes(app: App, sign: SignOn): void {
  const { authDb, clock } = sign.identity;
  const providerAt = async (params: unknown) => {
    const key = keyOf(params);
    const provider = key === undefined ? undefined : await providerOf(authDb, { key });
    if (provider?.protocol !== 'saml') throw new BusinessError('not_found');
    return { provider, addresses: await addressesOf(authDb, app.config, provider) };
  };
  app.server.get('/api/v1/sso/:key/metadata', async (request, reply) => {
    const { provider, addresses } = await providerAt(request.params);
    const { own_certificate } = provider;
    const metadata = samlOf(sign.identity, app.config, provider, addresses).generateServiceProviderMetadata(
      own_certificate,
      provider.signs_requests ? own_certificate : null,
    );
    return reply.type('application/samlmetadata+xml; charset=utf-8').send(metadata);
  });
  void app.server.register(async (server: FastifyInstance) => {
    server.route({
      method: 'POST',
      url: '/api/v1/sso/:key/acs',
      bodyLimit: BODY_BYTES,
      config: { fromOtherSites: true },
      handler: async (request, reply) => {
        const { provider, addresses } = await providerAt(request.params);
        const now = clock.now();
        addressLimit.check(request.ip, now);
        const back = (answer: Record<string, string>) =>
          reply.redirect(`${addresses.redirect_url}#${new URLSearchParams(answer)}`, 303);
        try {
          const proved = await readResponse(sign.identity, app.config, provider, addresses, form.parse(request.body));
          await useAnswer(authDb, now, 'assertion', String(provider.id), proved.assertion);
          return back({ state: proved.request, response: carry(sign.identity, provider.key, proved) });
        } catch (error) {
          addressLimit.count(request.ip, now);
          await noteFault(sign.identity, app, provider, error);
          return back({ state: 'refused' });
        }
      },
    });
  });
}
