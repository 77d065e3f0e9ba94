import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CLIENTS, clientSuite, readmeOf, withoutProgram } from './client-suite.ts';

const CLIENT = join(CLIENTS, 'php');
const PROGRAM = `
use Heliograph\\{AddConsentRequest, ApiException, ConnectionException, Heliograph, MessageFailedCallbackData};
use Heliograph\\{MessageReceivedCallbackData, SaveContactRequest, SendBatchRecipient, SendBatchRequest};
use Heliograph\\{SendMessageRequest, Webhook, WebhookException};

function say(mixed ...$parts): void
{
    echo implode('|', array_map(fn ($part) => is_string($part) ? $part : json_encode($part), $parts)), "\\n";
}
function explain(callable $call): void
{
    try {
        $call();
    } catch (ApiException $error) {
        say('refused', $error->status, $error->errorCode, implode(',', array_keys($error->errors)), $error->requestId !== null);
    } catch (ConnectionException $error) {
        say('lost', $error->timeout, $error->getMessage());
    }
}
$client = new Heliograph(getenv('URL') ?: 'http://127.0.0.1', getenv('KEY'));
$impatient = new Heliograph(getenv('URL'), getenv('KEY'), timeout: getenv('LONGEST_MS') / 1000, retries: 0);
[$from, $to] = [getenv('FROM'), (string) getenv('TO')];
switch ($argv[1]) {
    case 'send':
        foreach ([1, 2] as $_) {
            say($client->sendMessage(new SendMessageRequest(from: $from, to: $to, text: 'Hello', tags: []))->id);
        }
        break;
    case 'consent':
        explain(fn () => $client->addConsent(new AddConsentRequest(number: $to, kind: AddConsentRequest::KIND_OPT_IN)));
        break;
    case 'refused':
        explain(fn () => $client->sendMessage(new SendMessageRequest(from: $from, to: 'nobody', text: 'Hello')));
        break;
    case 'lost':
        explain(fn () => $impatient->getBalance());
        break;
    case 'list':
        $recipients = array_map(fn ($each) => new SendBatchRecipient(to: $each), explode(',', $to));
        $batch = $client->sendBatch(new SendBatchRequest(recipients: $recipients, from: $from, text: 'Hi'));
        $found = [];
        foreach ($client->every($client->listMessages(...), batchId: $batch->id, limit: 2) as $message) {
            $found[] = $message->to;
        }
        say(...$found);
        foreach ($client->pages($client->listMessages(...), batchId: $batch->id, limit: 2) as $page) {
            say(count($page->data), ...($page->hasMore ? [true] : []));
        }
        break;
    case 'clear':
        say($client->saveContact(new SaveContactRequest(number: $to, name: 'Ann'))->name);
        say($client->saveContact(new SaveContactRequest(number: $to, fields: []))->name);
        say($client->saveContact(new SaveContactRequest(number: $to, name: null))->name);
        break;
    case 'stream':
        $cursor = $client->listEvents(cursor: 'now')->nextCursor;
        say('ready');
        foreach ([2, 1] as $most) {
            $codes = [];
            foreach ($client->streamEvents(cursor: $cursor) as $event) {
                $cursor = $event->id;
                $codes[] = MessageFailedCallbackData::fromArray($event->data)->errorCode;
                if (count($codes) === $most) {
                    break;
                }
            }
            say(...$codes);
        }
        break;
    case 'callback':
        $server = ['HTTP_WEBHOOK_ID' => getenv('ID'), 'HTTP_WEBHOOK_TIMESTAMP' => getenv('STAMP')];
        $headers = [...$server, 'Webhook-Signature' => [getenv('SIGNATURE')]];
        try {
            $event = Webhook::verify(getenv('PAYLOAD'), $headers, explode(' ', getenv('SECRETS')));
            $data = MessageReceivedCallbackData::fromArray($event->data);
            say($event->id, $event->type, $data->text, $event->data['n'], $data->receivedAt);
        } catch (WebhookException $error) {
            say($error->getMessage());
        }
        break;
}
`;
const skip = withoutProgram(
  spawnSync('php', ['-r', 'exit(function_exists("curl_init") ? 0 : 1);']).status === 0,
  'PHP',
  'php-cli php-curl',
);
const folder = mkdtempSync(join(tmpdir(), 'heliograph-php-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const STRICT = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr', '-d', 'zend.assertions=1'];
const readme = readmeOf('php', 'php');
const inFolder = (file: string) => join(folder, file);
mkdirSync(inFolder('vendor'));
// Loads classes as the package says in composer.json, and takes no notice for granted.
writeFileSync(
  inFolder('vendor/autoload.php'),
  `<?php
set_error_handler(fn ($level, $words, $file, $line) => throw new ErrorException($words, 0, $level, $file, $line));
$package = '${CLIENT}';
$autoload = json_decode(file_get_contents("$package/composer.json"), true)['autoload'];
spl_autoload_register(function (string $class) use ($package, $autoload) {
    foreach ($autoload['psr-4'] as $space => $folder) {
        $file = "$package/$folder" . strtr(substr($class, strlen($space)), '\\\\', '/') . '.php';
        if (str_starts_with($class, $space) && is_file($file)) {
            return require_once $file;
        }
    }
    foreach ($autoload['classmap'] as $file) {
        require_once "$package/$file";
    }
});
`,
);
writeFileSync(inFolder('walk.php'), `<?php\nrequire __DIR__ . '/vendor/autoload.php';\n${PROGRAM}`);
writeFileSync(inFolder('examples.php'), readme.examples.replaceAll("'vendor/", "__DIR__ . '/vendor/"));
writeFileSync(inFolder('receiver.php'), readme.receiver);

clientSuite({
  language: 'PHP',
  skip,
  program: ['php', ...STRICT, inFolder('walk.php')],
  examples: ['php', ...STRICT, inFolder('examples.php')],
  receiver: (port) => ['php', ...STRICT, '-t', folder, '-S', `127.0.0.1:${port}`, inFolder('receiver.php')],
});

test('every file of the PHP client can be loaded, with strict types', { skip }, () => {
  const files = readdirSync(join(CLIENT, 'src')).map((file) => join(CLIENT, 'src', file));
  for (const file of files) assert.match(readFileSync(file, 'utf8'), /^<\?php\n[\s\S]*declare\(strict_types=1\);/);
  const { status, stderr } = spawnSync(
    'php',
    [
      ...STRICT,
      '-r',
      `require ${JSON.stringify(inFolder('vendor/autoload.php'))}; array_map(fn ($f) => require_once $f, ${JSON.stringify(files)});`,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
});
