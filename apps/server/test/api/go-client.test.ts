import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { acme, api, count, failed, harm, key, message, stage } from './client-stage.ts';
import { examplesOf, withoutProgram } from './client-suite.ts';

const CLIENT = resolve(import.meta.dirname, '../../../../clients/go');

/** Program that does what its first argument says, and prints values as JSON, one a line. */
const PROGRAM = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"heliograph"
	"net/http"
	"os"
	"time"
)

func say(value any) {
	text, _ := json.Marshal(value)
	fmt.Println(string(text))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func explain(err error) {
	var refused *heliograph.APIError
	var lost *heliograph.ConnectionError
	switch {
	case errors.As(err, &refused):
		fields := []string{}
		for field := range refused.Errors {
			fields = append(fields, field)
		}
		say([]any{"refused", refused.Status, refused.Code, fields, refused.RequestID != ""})
	case errors.As(err, &lost):
		say([]any{"lost", lost.Timeout, err.Error()})
	default:
		say([]any{"other", fmt.Sprint(err)})
	}
}

func main() {
	ctx := context.Background()
	client, err := heliograph.New(os.Getenv("URL"), os.Getenv("KEY"))
	must(err)
	var given struct {
		Message heliograph.SendMessageRequest
		Batch   heliograph.SendBatchRequest
		Headers map[string]string
		Body    string
		Secret  string
	}
	must(json.Unmarshal([]byte(os.Args[2]), &given))
	switch os.Args[1] {
	case "send":
		for i := 0; i < 2; i++ {
			sent, err := client.SendMessage(ctx, given.Message)
			must(err)
			say(sent.ID)
		}
	case "refused":
		given.Message.To = "nobody"
		_, err := client.SendMessage(ctx, given.Message)
		explain(err)
	case "consent":
		_, err := client.AddConsent(ctx, heliograph.AddConsentRequest{Number: given.Message.To, Kind: "opt_in"})
		explain(err)
	case "lost":
		client.Retries, client.Timeout = 0, 300*time.Millisecond
		_, err := client.GetBalance(ctx)
		explain(err)
	case "list":
		batch, err := client.SendBatch(ctx, given.Batch)
		must(err)
		found, query := []string{}, heliograph.ListMessagesQuery{BatchID: &batch.ID, Limit: heliograph.Ptr(int64(2))}
		for more := true; more; {
			page, err := client.ListMessages(ctx, query)
			must(err)
			for _, message := range page.Data {
				found = append(found, message.To)
			}
			query.Cursor, more = page.NextCursor, page.HasMore
		}
		say(found)
	case "stream":
		page, err := client.ListEvents(ctx, heliograph.ListEventsQuery{Cursor: heliograph.Ptr("now")})
		must(err)
		say("ready")
		enough := errors.New("enough")
		last, codes := page.NextCursor, []string{}
		read := func(most int) {
			err := client.StreamEvents(ctx, heliograph.StreamOptions{Cursor: last}, func(cursor string, event heliograph.Event) error {
				var data heliograph.MessageFailedCallbackData
				must(json.Unmarshal(event.Data, &data))
				codes, last = append(codes, *data.ErrorCode), cursor
				if len(codes) == most {
					return enough
				}
				return nil
			})
			if err != enough {
				must(err)
			}
		}
		read(2)
		read(3)
		say(codes)
	case "callback":
		header := http.Header{}
		for name, value := range given.Headers {
			header.Set(name, value)
		}
		callback, err := heliograph.VerifyWebhook([]byte(given.Body), header, given.Secret)
		if err != nil {
			say(err.Error())
			return
		}
		say([]string{callback.ID, callback.Type, string(callback.Data)})
	}
}
`;

const withoutGo = withoutProgram(spawnSync('go', ['version']).status === 0, 'Go', 'golang-go');

const folder = mkdtempSync(join(tmpdir(), 'heliograph-go-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const go = (...given: string[]) =>
  spawnSync('go', given, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=mod' },
  });

if (!withoutGo) {
  writeFileSync(
    join(folder, 'go.mod'),
    `module walk\n\ngo 1.19\n\nrequire heliograph v0.0.0\n\nreplace heliograph => ${CLIENT}\n`,
  );
  writeFileSync(join(folder, 'main.go'), PROGRAM);
  const { status, stderr } = go('build', '-o', 'walk', '.');
  assert.equal(status, 0, stderr);
}

async function run(what: string, given: object = {}, url = api.url, heard = () => {}): Promise<unknown[]> {
  const child = spawn(join(folder, 'walk'), [what, JSON.stringify(given)], {
    env: { URL: url, KEY: key },
    timeout: 60_000,
  });
  child.stdout.once('data', heard);
  const [out, wrong, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  assert.equal(code, 0, wrong);
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('the Go client is written as gofmt and vet want it', { skip: withoutGo }, () => {
  const { stdout } = spawnSync('gofmt', ['-l', CLIENT], { encoding: 'utf8' });
  assert.equal(stdout, '');
  const { status, stderr } = go('vet', 'heliograph', '.');
  assert.equal(status, 0, stderr);
});

test('the example of the README for Go runs as it stands', { skip: withoutGo }, async () => {
  mkdirSync(join(folder, 'example'));
  writeFileSync(
    join(folder, 'example/main.go'),
    `package main\n\nimport (\n\t"context"\n\t"fmt"\n\t"heliograph"\n\t"log"\n\t"os"\n)\n\nfunc main() {\n\tctx := context.Background()\n${examplesOf('go', 'go')[0]}\nfmt.Println(sent.ID, err)\n}\n`,
  );
  const { status, stderr } = go('build', '-o', 'first', './example');
  assert.equal(status, 0, stderr);
  const child = spawn(join(folder, 'first'), { env: { HELIOGRAPH_API_KEY: key }, timeout: 60_000 });
  assert.match(await text(child.stdout), /^\d+ <nil>\n$/);
});

test('a message is sent once from Go, even if requests and answers are lost', { skip: withoutGo }, async () => {
  const { url, seen } = await harm('refuse', 'lose', 'busy');
  const before = await count();
  const [id, again] = await run('send', { Message: message(71) }, url);
  assert.equal(await count(), before + 2);
  assert.notEqual(id, again);
  assert.equal(new Set(seen.slice(0, 4).map((each) => each.key)).size, 1);
  assert.ok(seen[3]!.at - seen[2]!.at >= 1_000, 'Retry-After is kept');
});

test('the Go client never repeats a call that could do something twice', { skip: withoutGo }, async () => {
  const { url, seen } = await harm('busy', 'lose');
  const [[kind]] = (await run('consent', { Message: message(72) }, url)) as [[string]];
  assert.deepEqual([kind, seen.length], ['lost', 2]);
});

test('errors of the Go client name the fields, and tell refusals from silence', { skip: withoutGo }, async () => {
  const [refused] = await run('refused', { Message: message(1) });
  assert.deepEqual(refused, ['refused', 422, 'validation_failed', ['to'], true]);
  const [[kind, timeout]] = (await run('lost', {}, (await harm('stall')).url)) as [[string, boolean]];
  assert.deepEqual([kind, timeout], ['lost', true]);
  const [nowhere] = (await run('lost', {}, 'http://127.0.0.1:1')) as [[string, boolean, string]];
  assert.deepEqual(nowhere.slice(0, 2), ['lost', false]);
  assert.match(nowhere[2], /^127\.0\.0\.1:1 could not be reached: /);
});

test('lists are read page by page from Go', { skip: withoutGo }, async () => {
  const recipients = [81, 82, 83].map((n) => ({ to: stage.number(n) }));
  const [found] = await run('list', { Batch: { from: acme.sender, text: 'Hi', recipients } });
  assert.deepEqual(found, [81, 82, 83].map(stage.number));
});

test('events reach a Go program as they happen, from its cursor on', { skip: withoutGo }, async () => {
  const { id } = await stage.one<{ id: number }>('SELECT max(message_id) AS id FROM program_message');
  const happen = async () => {
    for (const code of ['one', 'two', 'three']) await failed({ user_id: acme.user_id, id }, code);
  };
  assert.deepEqual(await run('stream', {}, api.url, () => void happen()), ['ready', ['one', 'two', 'three']]);
});

test('the Go client takes callbacks of the platform only', { skip: withoutGo }, async () => {
  const Secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const now = new Date();
  const Body = JSON.stringify({ type: 'message.delivered', timestamp: now.toISOString(), data: { to: 'ñ' } });
  const headers = (at: Date) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(Secret).sign('evt_1', at, Body),
  });
  const said = async (given: object) => (await run('callback', { Headers: headers(now), Body, Secret, ...given }))[0];
  assert.deepEqual(await said({}), ['evt_1', 'message.delivered', '{"to":"ñ"}']);
  assert.match(String(await said({ Secret: `whsec_${Buffer.alloc(24, 8).toString('base64')}` })), /any of the secrets/);
  assert.match(String(await said({ Headers: headers(new Date(now.getTime() - 600_000)) })), /too old/);
  assert.match(String(await said({ Body: Body.replace('ñ', 'n') })), /any of the secrets/);
  assert.match(String(await said({ Headers: {} })), /is missing/);
  assert.match(String(await said({ Secret: 'secret' })), /begins with whsec_/);
});
