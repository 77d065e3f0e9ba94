import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';

/** Reads the hosts of short links of resellers, by the corporations that use them: of one corporation, or of all. */
export async function ownShortLinkHosts(
  db: Kysely<Database>,
  corporationId: number | null,
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ corporation_id: number; host: string }>`
    SELECT corporation_id, host FROM own_short_link_hosts(${corporationId}::bigint)`.execute(db);
  return new Map(rows.map(({ corporation_id, host }) => [corporation_id, host]));
}

/** Returns a host as it is compared: in small letters, without the dot of the root. */
export const plainHost = (host: string): string => host.toLowerCase().replace(/\.$/, '');
