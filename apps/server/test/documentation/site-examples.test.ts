import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';
import { writeSite } from '#modules/documentation-site';
import { guide } from '../../src/seed/documentation.ts';
import { apiStage } from '../api/stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-examples-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeSite(folder, { name: 'Heliograph', version: '1.0.0' }, guide());
const stage = await apiStage({ after });
const { key } = await stage.makeKey();
// Records that the examples name.
const owner = stage.api.database.pool('owner');
await owner.query(
  `INSERT INTO verify_service (id, corporation_id, name, app_name, code_length, minutes, tries, resends, resend_pause, senders,
     language, format, countries, guard, number_limit, address_limit, device_limit, block_limit)
   OVERRIDING SYSTEM VALUE VALUES (3, $1, 'Example', 'Example', 6, 10, 5, 3, 30, ARRAY[$2], 'en', 'plain', '{PH}', 'off', 5, 10, 5, 5)`,
  [stage.acme.corporation_id, stage.acme.sender],
);
await owner.query(
  "INSERT INTO contact_field (corporation_id, name, key, type, slot) VALUES ($1, 'Birthday', 'birthday', 'date', 'date_4')",
  [stage.acme.corporation_id],
);

/** Returns the command that a person copies from the page of a call. */
function commandOn(name: string): string {
  const page = readFileSync(join(folder, `1.0.0/en-US/reference/${name}.html`), 'utf8');
  const [, code = ''] = /data-language="sh"><pre[^>]*><code>([\s\S]*?)<\/code>/.exec(page) ?? [];
  return code.replaceAll(/&#(\d+);/g, (_, sign: string) => String.fromCharCode(Number(sign)));
}

/** Runs a command against the server of this test, and returns the status of its answer. */
function statusOf(command: string): Promise<number> {
  const here = command.replace('https://sms.example.com', stage.api.url);
  const script = `${here} --silent --output /dev/null --max-time 20 --write-out '%{http_code}'`;
  return new Promise((answer) =>
    execFile('sh', ['-c', script], { env: { ...process.env, HELIOGRAPH_API_KEY: key } }, (_, stdout) =>
      answer(Number(stdout)),
    ),
  );
}

/** Endings of examples whose records this installation does not have. */
const ABSENT = [403, 404, 409];

test('each command of the static reference is a right call', async () => {
  const wrong: string[] = [];
  for (const { name, media, status } of PUBLIC_OPERATIONS) {
    if (media === 'text/event-stream') continue;
    const got = await statusOf(commandOn(name));
    if (got !== status && !ABSENT.includes(got)) wrong.push(`${name}: ${got}`);
  }
  assert.deepEqual(wrong, []);
});
