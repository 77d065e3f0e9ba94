import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { addEvents } from '#modules/events';
import { installClient } from '../../../../packages/client/test/install-client.ts';
import { bodyOf } from '../../src/modules/callbacks/bodies.ts';
import { keyOf, newSecret, signedHeaders } from '../../src/modules/callbacks/signing.ts';
import { guide } from '../../src/seed/documentation.ts';
import { listens, ownPort } from '../own-port.ts';
import { apiStage } from './stage.ts';

const EXAMPLES = resolve(import.meta.dirname, '../../../../docs/examples');
const RUN: Readonly<Record<string, [program: string, ...args: string[]]>> = {
  sh: ['sh'],
  mjs: [process.execPath],
  py: ['python3'],
  php: ['php'],
};
/** Languages to test. PHP runs only if it is installed; the others are on most machines, or easy to install. */
const LANGUAGES = Object.keys(RUN).filter(
  (language) => language !== 'php' || spawnSync('php', ['--version']).status === 0,
);

const stage = await apiStage({ after });
const { api, acme, one } = stage;
const owner = api.database.pool('owner');
await owner.query(
  "INSERT INTO link (name, host, port, system_id, for_tests) VALUES ('Tests', '127.0.0.1', 1, 'x', true)",
);
const folder = mkdtempSync(join(tmpdir(), 'heliograph-examples-'));
after(() => rmSync(folder, { recursive: true, force: true }));
await installClient(folder);
const keys = new Map<string, string>();
for (const language of LANGUAGES) {
  mkdirSync(join(folder, language));
  const made = await stage.makeKey({ name: language, mode: 'test' });
  keys.set(language, made.key);
  for (const file of readdirSync(EXAMPLES).filter((each) => each.endsWith(`.${language}`)))
    copyFileSync(join(EXAMPLES, file), join(folder, language, file));
}

function start(name: string, language: string, more: Record<string, string> = {}): ChildProcess {
  const [program, ...args] = RUN[language]!;
  return spawn(program, [...args, `${name}.${language}`], {
    cwd: join(folder, language),
    env: { ...process.env, HELIOGRAPH_URL: api.url, HELIOGRAPH_API_KEY: keys.get(language)!, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs an example that must succeed, and returns its output. */
async function printed(name: string, language: string): Promise<string> {
  const child = start(name, language);
  const [out, wrong, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')]);
  assert.equal(code, 0, `${name}.${language}: ${wrong}${out}`);
  return out;
}
/** Runs an example in all languages at the same time. */
const everywhere = (name: string, check: (out: string, language: string) => Promise<void> | void) =>
  Promise.all(LANGUAGES.map(async (language) => check(await printed(name, language), language)));
const messageOf = (out: string) => /\d{15,16}/.exec(out)?.[0];

test('the guide contains every example, word for word', () => {
  const articles = guide()
    .map(({ source }) => source)
    .join('\n');
  const files = readdirSync(EXAMPLES);
  assert.equal(files.length, 20);
  for (const file of files)
    assert.ok(
      articles.includes(readFileSync(join(EXAMPLES, file), 'utf8').trim()),
      `${file} is not in the guide as it is`,
    );
});

test('the sending examples send one message, even when they run twice', async () => {
  await everywhere('send', async (out, language) => {
    const id = messageOf(out);
    assert.ok(id, out);
    assert.equal(messageOf(await printed('send', language)), id);
    const answer = await stage.by(keys.get(language)!)('GET', `/v1/messages/${id}`);
    const { text: words, to, client_ref, test: tried } = answer.body as Record<string, unknown>;
    assert.deepEqual([to, client_ref, tried], ['639170000001', 'order-1001', true]);
    assert.match(String(words), /^Your order 1001 is on its way\./);
    const { sent } = await one<{ sent: number }>(
      'SELECT count(*) AS sent FROM program_message p JOIN api_key k ON k.id = p.api_key_id WHERE k.name = $1',
      [language],
    );
    assert.equal(Number(sent), 1);
  });
});

test('the batch examples send two messages and report the refused one', async () => {
  await everywhere('batch', async (out, language) => {
    const id = language === 'sh' ? (JSON.parse(out) as { id: string }).id : out.split(':')[0];
    const { accepted, total, rejected } = (await stage.by(keys.get(language)!)('GET', `/v1/batches/${id}`)).body as {
      accepted: number;
      total: number;
      rejected: { index: number; to: string }[];
    };
    assert.deepEqual([accepted, total, rejected.map(({ index, to }) => [index, to])], [2, 3, [[2, '12']]]);
    if (language !== 'sh') assert.match(out, /2 of 3 accepted.*\nrecipient 2, 12: ./);
  });
});

test('the error examples show the status, the code and the field', async () => {
  await everywhere('errors', (out) => {
    for (const part of [/422/, /validation_failed/, /\bto\b/]) assert.match(out, part);
  });
});

test('the feed examples show each event once, even when they run twice', async () => {
  const message = await one<{ id: number; user_id: number }>(
    'SELECT message_id AS id, user_id FROM program_message ORDER BY message_id LIMIT 1',
  );
  const about = { corporation_id: acme.corporation_id, department_id: null, user_id: message.user_id };
  const told = { type: 'message.delivered', message_id: message.id } as const;
  const at = new Date().toISOString();
  await addEvents(owner as never, [{ ...about, ...told, data: { state: 'delivered', error_code: null, at } }]);
  await everywhere('events', async (out, language) => {
    assert.match(out, /message\.delivered/);
    assert.ok(out.includes(String(message.id)), out);
    assert.doesNotMatch(await printed('events', language), /message\.delivered/);
  });
});

test('the callback receivers accept only bodies with our signature', async (t) => {
  const secret = newSecret();
  const body = bodyOf('message.failed', new Date().toISOString(), { id: '7', tags: ['ü'] });
  const now = Math.floor(Date.now() / 1_000);
  const good = signedHeaders([keyOf(newSecret()), keyOf(secret)], 'evt_7', now, body);
  const receivers = LANGUAGES.filter((language) => language !== 'sh');
  await Promise.all(
    receivers.map(async (language) => {
      const port = await ownPort();
      const own = { PORT: String(port), HELIOGRAPH_WEBHOOK_SECRET: secret };
      const child =
        language === 'php'
          ? spawn('php', ['-S', `127.0.0.1:${port}`, 'receiver.php'], {
              cwd: join(folder, language),
              env: { ...process.env, ...own },
              stdio: ['ignore', 'pipe', 'pipe'],
            })
          : start('receiver', language, own);
      t.after(() => child.kill('SIGKILL'));
      let said = '';
      for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (part) => (said += part));
      await until(`${language} listens`, () => listens(port));
      const call = async (headers: Record<string, string>, payload = body) =>
        (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: payload, headers })).status;
      const answers = [
        await call(good),
        await call(signedHeaders([keyOf(newSecret())], 'evt_7', now, body)),
        await call(good, body.replace('7', '8')),
        await call(signedHeaders([keyOf(secret)], 'evt_7', now - 600, body)),
        await call({}),
      ];
      assert.deepEqual(answers, [204, 400, 400, 400, 400], `${language}: ${said}`);
      await until(`${language} prints the event`, () => said.includes('message.failed'));
    }),
  );
});
