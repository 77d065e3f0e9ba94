import { randomBytes, timingSafeEqual } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import websocket from '@fastify/websocket';
import { ERRORS } from '@heliograph/contract/kernel/errors';
import { PROOF_MINUTES } from '@heliograph/contract/kernel/operation';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { ConnectedConfig } from '../config/config.ts';
import { isTransient } from '../database/transient-error.ts';
import { type Allowance, BusinessError, problem, tooLarge } from '../errors.ts';
import type { Logger } from '../log.ts';
import { unavailable } from '../outage.ts';
import { randomPiece } from '../process/random.ts';
import { chooseLocale } from '../text/i18n.ts';
import { answerInTime } from './answer-in-time.ts';
import { bodyInTime } from './body-in-time.ts';
import { bearerOf, CallLimits } from './call-limits.ts';
import { acceptJson } from './json-body.ts';
import { ONLY_TLS, REFUSAL_HEADERS, SAFE_HEADERS } from './safe-headers.ts';

const CSRF_COOKIE = 'XSRF-TOKEN';
const BODY_LIMIT = 1024 * 1024;
const UPLOAD_LIMIT = 200 * 1024 * 1024;
/** Maximum time in ms of a whole request, for the largest file on a slow line; a slower socket is closed. */
const REQUEST_MS = 300_000;
/** Maximum time in ms for the headers of a request, and for the first byte on a new connection. */
const HEADERS_MS = 15_000;
const LOOK_MS = 5_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether other sites may post here: such a call uses no cookie and proves itself. */
    fromOtherSites?: boolean;
  }
  interface FastifyRequest {
    /** The language of the caller's profile, once the caller is known. */
    profileLocale: string | undefined;
  }
}

/** Codes of PostgreSQL for values that it cannot store: a NUL in a text or in JSON, a number out of range. */
const NOT_STORABLE = new Set(['22021', '22P05', '22003']);

/**
 * Creates the HTTP server with the parts that every answer shares: headers, cookies, compression, limits and the one
 * error body.
 */
export async function createServer(
  config: ConnectedConfig,
  log: Logger,
  /** Maximum waits for an answer and for a body, if not the usual ones; and whether changes are stalled now. */
  { answerMs, bodyMs, stalled }: { answerMs?: number; bodyMs?: number; stalled?: (() => boolean) | undefined } = {},
): Promise<FastifyInstance> {
  const server = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.TRUST_PROXY,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_MS,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: LOOK_MS },
    requestIdHeader: false,
    genReqId: newRequestId,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: answerClientError,
    // A request that the router itself refuses, such as a path it cannot decode, passes no hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers(REFUSAL_HEADERS);
      void answerError(error, request, reply, server);
    },
  });
  server.decorateRequest('profileLocale', undefined);
  await server.register(cookie);
  // The operator decides whether a site is reached only by TLS, at the proxy that ends TLS.
  const safe = { ...(config.PUBLIC_URL?.startsWith('https:') && ONLY_TLS), ...SAFE_HEADERS };
  // Hooks of every request call `done`: a promise for each of them would cost more than their work.
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(safe);
    done();
  });
  // Answers are compressed; a compressed request body could expand a thousandfold.
  await server.register(compress, { threshold: 1024, globalDecompression: false });
  acceptJson(server);
  const limits = new CallLimits(config.CALLS_PER_MINUTE);
  server.decorate('callLimits', limits);
  server.decorateRequest('callCountedFor', undefined);
  // The found route decides all that differs by route, because one path can be written in many ways.
  server.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.config.unlimited) limits.count(request);
    done();
  });
  await server.register(multipart, {
    limits: { fileSize: UPLOAD_LIMIT, files: 1, fields: 20, fieldSize: 10_000 },
    throwFileSizeLimit: false,
  });
  await server.register(websocket, { options: { maxPayload: 10_000 } });
  bodyInTime(server, bodyMs);
  answerInTime(server, { ms: answerMs, stalled });
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(body as string)));
    },
  );

  // An answer is only for its caller and this moment; pictures, files and pages set their own header.
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done();
  });

  // The anti-forgery pair. A bearer token is never sent by a browser on its own, so calls that carry one need no pair.
  server.addHook('onRequest', (request, reply, done) => {
    const present = request.cookies[CSRF_COOKIE];
    if (!present && request.method === 'GET') {
      const secure = request.protocol === 'https';
      reply.setCookie(CSRF_COOKIE, randomBytes(24).toString('base64url'), {
        path: '/',
        sameSite: 'strict',
        secure,
        httpOnly: false,
      });
    }
    const foreign = request.routeOptions.config.fromOtherSites === true;
    if (present && !foreign && !request.headers.authorization && !['GET', 'HEAD', 'OPTIONS'].includes(request.method)) {
      const given = Buffer.from(String(request.headers['x-xsrf-token'] ?? ''));
      const wanted = Buffer.from(present);
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
        throw new BusinessError('csrf_token_mismatch');
    }
    done();
  });

  server.setErrorHandler((error: FastifyError | BusinessError, request, reply) =>
    answerError(error, request, reply, server),
  );
  return server;
}

/** Makes an id of a request that nobody can guess. */
const newRequestId = (): string => randomPiece(8).toString('hex');

/** Grace period for running requests at shutdown, in ms. */
const LAST_ANSWERS_MS = 5_000;

/**
 * Accepts no more calls, and waits for those that run. Calls that take longer, such as a file on a slow line, are cut
 * off: there is still time to clean up, and their caller sees that the answer is incomplete.
 */
export async function endRequests(server: FastifyInstance, withinMs = LAST_ANSWERS_MS): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), withinMs);
  await server.close();
  clearTimeout(cut);
}

/** Reports how much of a limit is left, by the names of the IETF's draft of RateLimit headers. */
export function tellAllowance(
  reply: FastifyReply,
  { name, limit, seconds }: Allowance,
  remaining: number,
  resetSeconds = seconds,
): void {
  reply.header('ratelimit-policy', `"${name}";q=${limit};w=${seconds}`);
  reply.header('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`);
}

function answerError(
  error: FastifyError | BusinessError,
  request: FastifyRequest,
  reply: FastifyReply,
  server: FastifyInstance,
): FastifyReply {
  const known = toBusinessError(error, request.routeOptions?.bodyLimit);
  if (known.code === 'internal_error') request.log.error({ err: error }, 'request failed');
  if (known.code === 'unavailable')
    request.log.warn({ err: error, reason: known.outage }, 'request not served: database or storage unavailable');
  const cookie = server.parseCookie(request.headers.cookie ?? '')['locale'];
  const forPrograms = request.url.startsWith('/v1/');
  const body = problem(known, request.id, chooseLocale(cookie, request.profileLocale), { forPrograms });
  if (known.retryAfter) reply.header('retry-after', known.retryAfter);
  const challenge = challengeOf(known, request);
  if (challenge !== undefined) reply.header('www-authenticate', challenge);
  if (known.allowance) tellAllowance(reply, known.allowance, 0, known.retryAfter);
  return reply.code(body.status).type('application/problem+json').send(body);
}

/** Answers the challenge of RFC 6750 if a token is missing, not valid any more, or lacks a scope. */
function challengeOf({ code, params }: BusinessError, request: FastifyRequest): string | undefined {
  const realm = 'Bearer realm="api"';
  // RFC 9470, section 3.
  if (code === 'proof_required')
    return `${realm}, error="insufficient_user_authentication", max_age=${PROOF_MINUTES * 60}`;
  if (code === 'scope_missing') return `${realm}, error="insufficient_scope", scope="${params['scope']}"`;
  if (ERRORS[code].status !== 401) return undefined;
  return bearerOf(request) === undefined ? realm : `${realm}, error="invalid_token"`;
}

/** Answers the refusal that an error of a request means; `limit` is the most bytes of its body. */
export function toBusinessError(error: FastifyError | BusinessError, limit: number | undefined): BusinessError {
  if (error instanceof BusinessError) return error;
  const status = error.statusCode ?? 500;
  if (status === 413 || error.code === 'FST_REQ_FILE_TOO_LARGE')
    return limit === undefined ? new BusinessError('payload_too_large', { cause: error }) : tooLarge(limit, error);
  if (status === 415) return new BusinessError('unsupported_media_type', { cause: error });
  if (status >= 400 && status < 500) return new BusinessError('malformed_request', { cause: error });
  if (NOT_STORABLE.has(error.code)) return new BusinessError('malformed_request', { cause: error });
  // The database is away, busy or in conflict with itself: the same call may succeed soon.
  if (isTransient(error)) return unavailable(error);
  return new BusinessError('internal_error', { cause: error });
}

/** Errors of a request that cannot be read, by the code of the parser. */
const UNREADABLE = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
} as const;

/** Answers bytes that cannot be read as a request with the one error body, and closes the connection. */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const code = UNREADABLE[error.code as keyof typeof UNREADABLE] ?? 'malformed_request';
    const body = problem(new BusinessError(code), randomBytes(8).toString('hex'), 'en');
    const text = JSON.stringify(body);
    const headers = {
      ...REFUSAL_HEADERS,
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${body.status} ${STATUS_CODES[body.status]}\r\n${lines.join('')}\r\n${text}`);
  }
  socket.destroy(error);
}
