import { type CallbackStage, callbackStage } from '../callbacks/receiver.ts';
import type { Scope } from '../template-database.ts';

/** Key that a test made: what its programs sign in with. */
export interface MadeKey {
  id: number;
  key: string;
  prefix: string;
  auth_token: string;
}

export interface DoorStage extends CallbackStage {
  /** Sender ID of Acme. */
  from: string;
  /** Makes a key that opens an interface, or as `fields` say. */
  makeKey(fields: object): Promise<MadeKey>;
}

/** Starts an API with a receiver of reports, a sender ID and a person who makes keys. */
export async function doorStage(t: Scope): Promise<DoorStage> {
  const s = await callbackStage(t);
  const { sender: from } = await s.one<{ sender: string }>(
    'SELECT sender_id AS sender FROM sender_id WHERE corporation_id = $1 AND enabled ORDER BY id LIMIT 1',
    [s.acme],
  );
  const { id: user_id } = await s.one<{ id: number }>(
    "SELECT id FROM user_account WHERE email = 'corporate@heliograph.test'",
  );
  let keys = 0;
  return {
    ...s,
    from,
    async makeKey(fields) {
      const answer = await s.corporate('POST', '/api/v1/api-keys', { name: `Program ${++keys}`, user_id, ...fields });
      return (answer.body as { data: MadeKey }).data;
    },
  };
}
