import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { workbookOf } from '../../../apps/server/test/contacts/table-file.ts';
import { clientTypes, TYPES_FILE } from '../../../scripts/generate-client-types.ts';
import { installClient, typeErrors } from './install-client.ts';

const PROGRAM = `
import { ApiError, type CallbackEvent, Heliograph, verifyWebhook } from '@heliograph/client';

export async function send(heliograph: Heliograph): Promise<string> {
  const { id } = await heliograph.send({ from: 'Acme', to: '639170000001', text: 'Hello', class: 'otp' });
  for await (const event of heliograph.events({ types: ['balance.low'] })) {
    if (event.type === 'balance.low') return event.data.balance;
  }
  return id;
}
export const told = async (body: string, headers: Headers): Promise<CallbackEvent> =>
  (await verifyWebhook(body, headers, ['whsec_x'])).event;
export const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : undefined);
`;

test('the types of the client are those of the contract', () => {
  assert.ok(readFileSync(TYPES_FILE, 'utf8') === clientTypes(), 'call npm run client-types');
});

test('what is published stands alone: a program with strict types uses it, and a wrong one is told so', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-client-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await installClient(folder);
  writeFileSync(join(folder, 'two.csv'), 'Phone;Mobile\n639171234567;639171234568\n');
  const command = join(folder, 'node_modules/@heliograph/client/dist/cli.js');
  const env = { HOME: folder, HELIOGRAPH_URL: 'http://127.0.0.1', HELIOGRAPH_API_KEY: 'x' };
  const import_ = (file: string) =>
    spawnSync(process.execPath, [command, 'import', file, '--from', 'A', '--text', 'x', '--column', 'none'], { env });
  assert.match(String(import_(join(folder, 'two.csv')).stderr), /no column "none".*"Phone", "Mobile"/);
  assert.match(String(import_(await workbookOf(t, [['电话'], [639171234567]])).stderr), /no column "none".*"电话"/);
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'right.ts'), PROGRAM);
  assert.equal(typeErrors(folder, ...options, 'right.ts'), '');
  writeFileSync(join(folder, 'wrong.ts'), PROGRAM.replace("class: 'otp'", "class: 'urgent'"));
  assert.match(typeErrors(folder, ...options, 'wrong.ts'), /wrong\.ts\(5,.*"urgent"/);
});
