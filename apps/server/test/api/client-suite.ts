import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { Webhook } from 'standardwebhooks';
import { listenOn, listens, ownPort } from '../own-port.ts';
import { acme, api, count, failed, harm, key, message, stage } from './client-stage.ts';

// The guarantees of the clients of languages with classes, which are the same in each of them.

export const CLIENTS = resolve(import.meta.dirname, '../../../../clients');

/** One client, and how its programs are run. */
interface Suite {
  language: string;
  /** Reason why the tests are skipped, or false. */
  skip: string | false;
  /** Command that does what its last argument says, and prints a line for each outcome, its parts separated by `|`. */
  program: readonly string[];
  /** Command that runs the examples of the README. */
  examples: readonly string[];
  /** Command that runs the receiver of callbacks of the README, which listens on a port. */
  receiver(port: number): readonly string[];
  /** Whether a program can end a call from outside. */
  cancels?: boolean;
}

/** Returns the examples of a README, which call the platform of the test. */
export function examplesOf(folder: string, language: string): string[] {
  const all = readFileSync(resolve(CLIENTS, folder, 'README.md'), 'utf8').replaceAll(
    'https://sms.example.com',
    api.url,
  );
  return [...all.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map((found) => found[1]!);
}

/** Returns the examples of a README: those that follow each other in one program, and the receiver of callbacks. */
export function readmeOf(folder: string, language: string): { examples: string; receiver: string } {
  const all = examplesOf(folder, language);
  return { examples: all.slice(0, -1).join('\n'), receiver: all.at(-1)! };
}

/** Returns the reason to skip tests without a program, or false. If CI is set, they fail instead. */
export const withoutProgram = (found: boolean, language: string, packages: string) =>
  found || process.env.CI
    ? false
    : `NOT RUN: ${language} is not installed (apt-get install ${packages}), so its client was not tested`;

/** Declares the tests of a client. */
export function clientSuite({ language, skip, program, examples, receiver, cancels = false }: Suite): void {
  const begin = ([name, ...args]: readonly string[], env: object): ChildProcess =>
    spawn(name!, args, { env: { PATH: process.env.PATH, HOME: '/nonexistent', ...env }, timeout: 120_000 });

  async function finished(child: ChildProcess): Promise<string> {
    const [out, wrong, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')]);
    assert.equal(code, 0, wrong + out);
    return out.trim();
  }
  async function run(what: string, given: object = {}, url = api.url, heard = () => {}): Promise<string[][]> {
    const child = begin([...program, what], { URL: url, KEY: key, FROM: acme.sender, LONGEST_MS: '30000', ...given });
    child.stdout!.once('data', heard);
    return (await finished(child)).split('\n').map((line) => line.trim().split('|'));
  }

  test(`a message is sent once from ${language}, even if requests and answers are lost`, { skip }, async () => {
    const { url, seen } = await harm('refuse', 'lose', 'busy');
    const before = await count();
    const [[id], [again]] = (await run('send', { TO: message(51).to }, url)) as [[string], [string]];
    assert.equal(await count(), before + 2);
    assert.notEqual(id, again);
    assert.equal(new Set(seen.slice(0, 4).map((each) => each.key)).size, 1);
    assert.notEqual(seen[3]!.key, seen[4]!.key);
    assert.ok(seen[3]!.at - seen[2]!.at >= 1_000, 'Retry-After is kept');
  });

  test(`the ${language} client never repeats a call that could do something twice`, { skip }, async () => {
    const { url, seen } = await harm('busy', 'lose');
    const said = await run('consent', { TO: message(52).to }, url);
    assert.equal(seen.length, 2);
    assert.deepEqual(said[0]!.slice(0, 2), ['lost', 'false']);
  });

  test(`errors of the ${language} client name the fields, and tell refusals from silence`, { skip }, async () => {
    assert.deepEqual(await run('refused'), [['refused', '422', 'validation_failed', 'to', 'true']]);
    const [stalled] = await run('lost', { LONGEST_MS: '300' }, (await harm('stall')).url);
    assert.deepEqual(stalled!.slice(0, 2), ['lost', 'true']);
    const [nowhere] = await run('lost', {}, 'http://127.0.0.1:1');
    assert.deepEqual(nowhere!.slice(0, 2), ['lost', 'false']);
    assert.match(nowhere![2]!, /^127\.0\.0\.1:1 could not be reached: /);
    // A key is for one host.
    const elsewhere = createServer((_, response) =>
      response.writeHead(302, { location: `${api.url}/v1/balance` }).end(),
    );
    elsewhere.unref();
    const [moved] = await run('lost', {}, `http://127.0.0.1:${await listenOn(elsewhere)}`);
    assert.deepEqual(moved!.slice(0, 2), ['refused', '302']);
    elsewhere.close();
  });

  if (cancels)
    test(`a ${language} program can end a call that waits`, { skip }, async () => {
      const { url, seen } = await harm('stall', 'stall');
      assert.deepEqual(await run('cancel', {}, url), [['ended']]);
      assert.ok(seen.length <= 1);
    });

  test(`lists are read page by page from ${language}`, { skip }, async () => {
    const numbers = [61, 62, 63].map(stage.number);
    assert.deepEqual(await run('list', { TO: numbers.join() }), [numbers, ['2', 'true'], ['1']]);
  });

  test(`a field is cleared from ${language} by null, and kept if it is left out`, { skip }, async () => {
    // A test key has no contacts.
    const { key } = await stage.makeKey({ scopes: ['contacts:read', 'contacts:write'] });
    assert.deepEqual(await run('clear', { TO: message(53).to, KEY: key }), [['Ann'], ['Ann'], ['null']]);
  });

  test(`events reach a ${language} program as they happen, from its cursor on`, { skip }, async () => {
    const { id } = await stage.one<{ id: number }>('SELECT max(message_id) AS id FROM program_message');
    const happen = async () => {
      for (const code of ['one', 'two', 'three']) await failed({ user_id: acme.user_id, id }, code);
    };
    assert.deepEqual(await run('stream', {}, api.url, () => void happen()), [['ready'], ['one', 'two'], ['three']]);
  });

  test(`the ${language} client takes callbacks of the platform only`, { skip }, async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
    const now = new Date();
    // A number that no double holds exactly, and a time that no program may reformat.
    const body = `{"type":"message.received","timestamp":"${now.toISOString()}","data":{"id":"5","text":"ñ","binary":false,"n":9007199254740993,"received_at":"2026-11-30T07:00:00.000Z"}}`;
    const headers = (at: Date) => ({
      ID: 'evt_1',
      STAMP: String(Math.floor(at.getTime() / 1_000)),
      SIGNATURE: new Webhook(secret).sign('evt_1', at, body),
    });
    const good = ['evt_1', 'message.received', 'ñ', '9007199254740993', '2026-11-30T07:00:00.000Z'];
    const cases: [given: object, said: RegExp | string[]][] = [
      [{}, good],
      [{ SECRETS: `${other} ${secret}` }, good],
      [{ SIGNATURE: `v1,x ${headers(now).SIGNATURE}` }, good],
      [{ SECRETS: other }, /any of the secrets/],
      [headers(new Date(now.getTime() - 600_000)), /too old/],
      [{ PAYLOAD: body.replace('ñ', 'n') }, /any of the secrets/],
      [{ ID: '' }, /webhook-id is missing/],
      [{ STAMP: '1e9' }, /not a number of seconds/],
      [{ SECRETS: 'secret' }, /begins with whsec_/],
    ];
    await Promise.all(
      cases.map(async ([given, wanted]) => {
        const own = { ...headers(now), PAYLOAD: body, SECRETS: secret, ...given };
        const [said] = await run('callback', own);
        if (wanted instanceof RegExp) assert.match(said![0]!, wanted);
        else assert.deepEqual(said, wanted);
      }),
    );
  });

  test(`the examples of the README for ${language} run as they stand`, { skip }, async (t) => {
    // The example's idempotency key is known for another language's key already.
    const { key: own } = await stage.makeKey({ mode: 'test' });
    const out = await finished(begin(examples, { HELIOGRAPH_API_KEY: own }));
    assert.match(
      out,
      /^sent \d+ for [\d.]+ [A-Z]{3}\r?\n1 of 2 accepted\r?\nrecipient 1: .+\r?\n639170000002 \w+\r?\n422 validation_failed: .+\r?\nto: .+$/,
    );
    const secret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    const port = await ownPort();
    const child = begin(receiver(port), { HELIOGRAPH_WEBHOOK_SECRET: secret });
    t.after(() => child.kill('SIGKILL'));
    let said = '';
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (part) => (said += part));
    await until(`the receiver in ${language} listens`, () => listens(port));
    const now = new Date();
    const body = JSON.stringify({
      type: 'message.failed',
      timestamp: now.toISOString(),
      data: { id: '77', text: 'ü' },
    });
    const call = async (payload: string) => {
      const headers = {
        'webhook-id': 'evt_7',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign('evt_7', now, body),
      };
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: payload, headers })).status;
    };
    assert.deepEqual([await call(body), await call(body.replace('77', '78'))], [204, 400], said);
    await until('the receiver prints the event', () => said.includes('failed: 77'));
  });
}
