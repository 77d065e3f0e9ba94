import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { workbookOf } from '../../../apps/server/test/contacts/table-file.ts';
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

test('a program with strict types can use the published package', async (t) => {
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
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom'];
  writeFileSync(join(folder, 'right.ts'), PROGRAM);
  // A program uses modules or `require`, and is resolved as Node or a bundler does it.
  for (const type of ['commonjs', 'module']) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
    for (const modules of ['nodenext', 'node16', 'esnext --moduleResolution bundler', 'commonjs'])
      assert.equal(
        typeErrors(folder, ...options, '--module', ...modules.split(' '), 'right.ts'),
        '',
        `${type} ${modules}`,
      );
  }
  writeFileSync(join(folder, 'wrong.ts'), PROGRAM.replace("class: 'otp'", "class: 'urgent'"));
  assert.match(typeErrors(folder, ...options, '--module', 'nodenext', 'wrong.ts'), /wrong\.ts\(5,.*"urgent"/);
});

test('import and require load the same names from the published package', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-client-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await installClient(folder);
  const namesBy = (file: string, load: string) => {
    writeFileSync(join(folder, file), `${load}; console.log(Object.keys(client).sort().join());`);
    // As in Node 20, which cannot load a module with require.
    const options = ['--no-require-module', file];
    return execFileSync(process.execPath, options, { cwd: folder, encoding: 'utf8' }).trim();
  };
  const names = namesBy('by-import.mjs', "import * as client from '@heliograph/client'");
  assert.equal(names, 'ApiError,ConnectionError,Heliograph,HeliographError,WebhookError,verifyWebhook');
  assert.equal(namesBy('by-require.cjs', "const client = require('@heliograph/client')"), names);
});
