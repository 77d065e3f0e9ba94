import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { BusinessError, problem } from '../errors.ts';
import { REFUSAL_HEADERS } from './safe-headers.ts';

const CODES = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
} as const;

/** Answers bytes that cannot be read as a request with the one error body, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const code = CODES[error.code as keyof typeof CODES] ?? 'malformed_request';
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
