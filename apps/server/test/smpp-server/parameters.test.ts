import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { statusName } from '@heliograph/smpp';
import { bind, smppStage, until } from './stage.ts';

const stage = await smppStage({ after });
await stage.owner.query(
  `UPDATE link SET parameters = '{dlt_template_id=0x1401:cstring,chain=0x1502:int1}' WHERE NOT for_tests`,
);

test('TLVs of a program become parameters if its corporation may give them', async () => {
  const { corporation_id } = await stage.customer('indian');
  const server = await stage.server();
  const esme = await bind(server, 'indian');
  const submit = async (tag: number, value: Uint8Array) =>
    statusName((await esme.submit({ tlvs: { unknown: [{ tag, value }] } })).status);
  const last = async () =>
    (await stage.one<{ parameters: object | null }>('SELECT parameters FROM chunk ORDER BY id DESC LIMIT 1'))
      .parameters;
  assert.equal(await submit(0x1401, Buffer.from('1107\0')), 'ESME_ROK', 'as before, without effect');
  assert.equal(await last(), null);
  await stage.owner.query('UPDATE corporation SET gives_parameters = true WHERE id = $1', [corporation_id]);
  await until('it takes effect', async () => {
    assert.equal(await submit(0x1401, Buffer.from('1107\0')), 'ESME_ROK');
    return (await last()) !== null;
  });
  assert.deepEqual(await last(), { dlt_template_id: '1107' });
  assert.equal(await submit(0x1502, Buffer.from([1, 2])), 'ESME_RINVOPTPARAMVAL');
  assert.equal(await submit(0x3fff, Buffer.from([1, 2])), 'ESME_ROK', 'a tag that no link names');
  assert.equal(await last(), null);
  await esme.session.unbind();
});
