import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Segment } from '../../src/modules/delivery/segment.ts';
import { ownWriter, senderSession } from './outcome-writer.ts';
import { numbers, type Stage, stage } from './stage.ts';

/** Makes a session that loses its first COMMIT. `commit` runs in its place before the sender learns of the loss. */
function losesCommit(s: Stage, commit: (done: () => Promise<unknown>) => Promise<unknown>) {
  const session = senderSession(s, 'writer');
  let lost = false;
  return {
    async client() {
      const client = await session.client();
      const query = async (first: unknown, ...rest: unknown[]) => {
        const done = () => client.query(first as string, ...(rest as []));
        if (first !== 'COMMIT' || lost) return done();
        lost = true;
        await commit(done);
        throw new Error('Connection terminated unexpectedly');
      };
      return new Proxy(client, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key, target)) });
    },
  };
}

for (const stands of [true, false]) {
  test(`a lost COMMIT ${stands ? 'does not repeat a sent retry' : 'is done again'}`, async (t) => {
    const s = await stage(t);
    await s.addLink({ port: 9 });
    await s.campaign(numbers(1));
    const { id } = await s.one<{ id: number }>('SELECT id FROM message');
    const writer = ownWriter(
      s,
      losesCommit(s, async (done) => {
        if (!stands) return;
        await done();
        // The link's sender takes the segment over another session, and its bytes leave.
        assert.equal((await s.owner.query('DELETE FROM retry')).rowCount, 1);
      }),
    );
    const chunk = { id: Math.floor(id / 1_024), corporation_id: s.corporationId, class: 'bulk' };
    const segment = { message: { id, chunk, parts: 1, reference: 0 }, part: 1, tries: 1 } as unknown as Segment;
    writer.add({ kind: 'retry', segment, link_id: s.linkId, command_status: 0x58, not_before: Date.now() });
    await writer.flushed();
    assert.deepEqual(await s.one('SELECT count(*)::int AS waiting FROM retry'), { waiting: stands ? 0 : 1 });
  });
}
