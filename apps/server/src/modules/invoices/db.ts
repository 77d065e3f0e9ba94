import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';

/** Transaction, or a connection without one. */
export type Db = Kysely<Database>;
