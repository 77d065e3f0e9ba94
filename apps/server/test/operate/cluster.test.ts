import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import { Cluster, type ClusterNode } from './cluster.ts';

it('acknowledged rows are on the standby when it is promoted, twice over', async (t) => {
  const cluster = await Cluster.start(t);
  const asOwner = async (node: ClusterNode, text: string) => {
    const client = new pg.Client({ connectionString: cluster.urlOf(node) });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  await asOwner(cluster.primary, 'CREATE TABLE kept (id integer)');
  for (const round of [1, 2]) {
    await asOwner(cluster.primary, `INSERT INTO kept VALUES (${round})`);
    await cluster.kill();
    await cluster.promote();
    assert.equal((await asOwner(cluster.primary, 'SELECT FROM kept')).length, round);
    await cluster.rejoinOldPrimaryAsStandby();
  }
  // A primary without its standby acknowledges nothing.
  await cluster.kill(cluster.standby);
  const { port } = cluster.primary;
  const client = new pg.Client({ connectionString: cluster.urlOf(cluster.primary), query_timeout: 500 });
  await client.connect();
  await assert.rejects(client.query('INSERT INTO kept VALUES (3)'), /timeout/, `the primary on ${port} waits`);
  await client.end();
});
