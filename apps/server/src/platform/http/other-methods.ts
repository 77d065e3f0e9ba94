import type { FastifyInstance, HTTPMethods } from 'fastify';
import { BusinessError } from '../errors.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Expression of the paths that a route answers. */
const pathsOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split(/(:\w+|\*)/)
      .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[.+()[\]]/g, '\\$&')))
      .join('')}$`,
  );

/**
 * Follows the routes that are mounted from now on. Call the function it returns once after the last of them. It answers
 * their paths' other methods: OPTIONS with 204, all others with 405, both with the header Allow. A path that also
 * matches another route's parameter keeps the methods of that route.
 */
export function followRoutes(server: FastifyInstance): () => void {
  const routes = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    const known = routes.get(url) ?? new Set();
    for (const each of [method].flat()) known.add(each);
    routes.set(url, known);
  });
  return () => {
    const all = [...routes].map(([url, methods]) => ({ url, methods: new Set(methods), matches: pathsOf(url) }));
    for (const { url } of all) {
      const taken = new Set(all.flatMap(({ matches, methods }) => (matches.test(url) ? [...methods] : [])));
      const allowed = METHODS.filter((each) => taken.has(each) || each === 'OPTIONS').join(', ');
      if (!taken.has('OPTIONS'))
        server.options(url, async (_request, reply) => reply.header('allow', allowed).code(204).send());
      const others = METHODS.filter(
        (each): each is HTTPMethods & typeof each => !taken.has(each) && each !== 'OPTIONS',
      );
      if (others.length === 0) continue;
      server.route({
        method: others,
        url,
        exposeHeadRoute: false,
        // It runs before a body is read, because the body does not matter.
        onRequest: async ({ method }, reply) => {
          reply.header('allow', allowed);
          throw new BusinessError('method_not_allowed', { params: { method, allowed } });
        },
        handler: async () => undefined,
      });
    }
  };
}
