import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OwnCookies } from '../context.ts';

/** Answers the cookies of a public call; new ones go with the reply. */
export const cookiesOf = (request: FastifyRequest, reply: FastifyReply): OwnCookies => ({
  read: (name) => request.cookies[name],
  write(name, value, { path, seconds }) {
    const secure = request.protocol === 'https';
    reply.setCookie(name, value, {
      path,
      maxAge: value === '' ? 0 : seconds,
      httpOnly: true,
      sameSite: 'strict',
      secure,
    });
  },
});
