import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BusinessError } from '../errors.ts';

/** Maximum time of a body in ms; a route gets a second more for each 100 KB that it allows. */
const BODY_MS = 20_000;
const BYTES_A_SECOND = 100_000;
/** Time in ms for a client that is refused while it sends: it can still read the reason. */
const LINGER_MS = 5_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Timer of the wait for a body. */
    bodyTimer: NodeJS.Timeout | undefined;
  }
  interface FastifyContextConfig {
    /** Whether the route takes a file, which may be large and slow. */
    upload?: boolean;
    /** Whether the route upgrades to a socket of live events. */
    live?: boolean;
  }
}

/**
 * Answers `request_timeout` if the body of a call does not arrive in time, and refuses files and upgrades on routes
 * that take none. Closes connections when nobody will read the rest. Call it before routes are added.
 */
export function bodyInTime(server: FastifyInstance, ms = BODY_MS): void {
  server.decorateRequest('bodyTimer', undefined);
  const rest = (request: FastifyRequest) => clearTimeout(request.bodyTimer);
  server.addHook('onRequest', (request, _reply, done) => {
    const { upload, live } = request.routeOptions.config;
    if (request.ws && !live) throw new BusinessError('not_found');
    const type = request.headers['content-type'] ?? '';
    if (!upload && /^multipart\//i.test(type)) throw new BusinessError('unsupported_media_type');
    done();
  });
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (!request.routeOptions.config.upload && !request.raw.complete) {
      const { bodyLimit = 0 } = request.routeOptions;
      const late = () => {
        if (!reply.sent) void reply.header('connection', 'close').send(new BusinessError('request_timeout'));
      };
      request.bodyTimer = setTimeout(late, ms + (bodyLimit / BYTES_A_SECOND) * (ms / BODY_MS) * 1_000);
    }
    done(null, payload);
  });
  server.addHook('preValidation', (request, _reply, done) => {
    rest(request);
    done();
  });
  server.addHook('onSend', (request, _reply, _payload, done) => {
    rest(request);
    done();
  });
  server.addHook('onResponse', ({ raw, ws }, _reply, done) => {
    // If the connection closed immediately, a client that still writes would not read its answer. Node drops the rest
    // of its body.
    if (!raw.complete && !ws) setTimeout(() => !raw.complete && raw.destroy(), LINGER_MS).unref();
    done();
  });
}
