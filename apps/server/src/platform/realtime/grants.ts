import { createHmac, timingSafeEqual } from 'node:crypto';

export const BROADCAST_KEY = 'heliograph';
/** Signature of a grant, and its session; the end of the session closes the channel. */
const GRANT = new RegExp(`^${BROADCAST_KEY}:[0-9a-f]{64}\\.([0-9a-f-]{36})$`);

/** Subject of a grant that names the person behind a socket, as distinct from a channel. */
export const userOf = (userData: string): string => `:user::${userData}`;

/** Signs the channels that a session allows a socket, and checks such grants. */
export class Grants {
  readonly #secret: Buffer;

  constructor(key: Buffer) {
    this.#secret = createHmac('sha256', key).update('realtime').digest();
  }

  /** Allows a socket to hear a channel, or to name its person, for as long as the session lasts. */
  give(socketId: string, subject: string, session: string): string {
    const signature = createHmac('sha256', this.#secret).update(`${socketId}:${subject}:${session}`).digest('hex');
    return `${BROADCAST_KEY}:${signature}.${session}`;
  }

  /** Answers the session that gave a grant to a socket; undefined if none did. */
  grantor(socketId: string, subject: string, grant: string): string | undefined {
    const [, session] = GRANT.exec(grant) ?? [];
    const expected = Buffer.from(this.give(socketId, subject, session ?? ''));
    const given = Buffer.from(grant);
    return session && given.length === expected.length && timingSafeEqual(given, expected) ? session : undefined;
  }
}
