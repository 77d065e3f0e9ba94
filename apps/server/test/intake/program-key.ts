import type { Program } from '#modules/intake';
import { newKey } from '../../src/modules/api/key-material.ts';
import type { IntakeStage } from './stage.ts';

/** Lets a program's person connect over HTTP, and returns a new key of theirs that may send and read. */
export async function programKey({ owner }: IntakeStage, program: Program): Promise<string> {
  const { key, prefix, digest } = newKey('live');
  await owner.query(
    `UPDATE user_account SET billing_account_id = $2, connection_type_id = (SELECT id FROM connection_type WHERE name = 'HTTP') WHERE id = $1`,
    [program.user_id, program.billing_account_id],
  );
  await owner.query(
    `INSERT INTO api_key (corporation_id, user_id, name, mode, prefix, digest, scopes)
     VALUES ($1, $2, 'k', 'live', $3, $4, '{messages:send,messages:read,balance:read}')`,
    [program.corporation_id, program.user_id, prefix, digest],
  );
  return key;
}
