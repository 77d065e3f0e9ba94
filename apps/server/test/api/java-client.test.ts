import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CLIENTS, clientSuite, readmeOf, withoutProgram } from './client-suite.ts';

const CLIENT = join(CLIENTS, 'java/src/main/java');
const PROGRAM = `
import heliograph.Api.*;
import heliograph.*;
import java.time.Duration;
import java.util.*;
import java.util.stream.*;

public class Walk {
    static String env(String name) {
        return System.getenv().getOrDefault(name, "");
    }

    static void say(Object... parts) {
        System.out.println(Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining("|")));
    }

    static void explain(Runnable call) {
        try {
            call.run();
        } catch (ApiException error) {
            say("refused", error.status(), error.code(), String.join(",", error.errors().keySet()), error.requestId() != null);
        } catch (ConnectionException error) {
            say("lost", error.timeout(), error.getMessage());
        }
    }

    public static void main(String[] args) {
        Heliograph client = new Heliograph(env("URL"), env("KEY"));
        String from = env("FROM"), to = env("TO");
        switch (args[0]) {
            case "send" -> {
                for (int i = 0; i < 2; i++) {
                    say(client.sendMessage(new SendMessageRequest().from(from).to(to).text("Hello").tags()).id());
                }
            }
            case "consent" -> explain(() ->
                    client.addConsent(new AddConsentRequest().number(to).kind(AddConsentRequest.KIND_OPT_IN)));
            case "refused" -> explain(() ->
                    client.sendMessage(new SendMessageRequest().from(from).to("nobody").text("Hello")));
            case "lost" -> explain(() -> client.withTimeout(Duration.ofMillis(Long.parseLong(env("LONGEST_MS")))).withRetries(0).getBalance());
            case "cancel" -> {
                Thread waiting = Thread.currentThread();
                Thread other = new Thread(() -> {
                    try {
                        Thread.sleep(1000);
                    } catch (InterruptedException never) {
                        return;
                    }
                    waiting.interrupt();
                });
                other.start();
                try {
                    client.getBalance();
                } catch (ConnectionException error) {
                    say("lost");
                } catch (HeliographException error) {
                    say(Thread.interrupted() ? "ended" : "forgotten");
                }
            }
            case "list" -> {
                List<SendBatchRecipient> recipients = Stream.of(to.split(",")).map(each -> new SendBatchRecipient().to(each)).toList();
                SendBatchReply batch = client.sendBatch(new SendBatchRequest().recipients(recipients).from(from).text("Hi"));
                ListMessagesQuery query = new ListMessagesQuery().batchId(batch.id()).limit(2);
                say(client.every(client::listMessages, query).map(GetMessageReply::to).toArray());
                client.pages(client::listMessages, query).forEach(page ->
                        say(page.hasMore() ? new Object[] {page.data().size(), true} : new Object[] {page.data().size()}));
            }
            case "clear" -> {
                say(client.saveContact(new SaveContactRequest().number(to).name("Ann")).name());
                say(client.saveContact(new SaveContactRequest().number(to).fields(Map.of())).name());
                say(client.saveContact(new SaveContactRequest().number(to).name(null)).name());
            }
            case "stream" -> {
                String cursor = client.listEvents(new ListEventsQuery().cursor("now")).nextCursor();
                say("ready");
                for (int most : new int[] {2, 1}) {
                    try (Stream<Event> events = client.streamEvents(new StreamEventsQuery().cursor(cursor))) {
                        List<Event> seen = events.limit(most).toList();
                        cursor = seen.get(most - 1).id();
                        say(seen.stream().map(event -> event.data(MessageFailedCallbackData.class).errorCode()).toArray());
                    }
                }
            }
            case "callback" -> {
                Map<String, String> headers = Map.of(
                        "webhook-id", env("ID"), "webhook-timestamp", env("STAMP"), "webhook-signature", env("SIGNATURE"));
                try {
                    Event event = Webhook.verify(env("PAYLOAD").getBytes(java.nio.charset.StandardCharsets.UTF_8), headers::get, env("SECRETS").split(" "));
                    MessageReceivedCallbackData data = event.data(MessageReceivedCallbackData.class);
                    say(event.id(), event.type(), data.text(), event.data().get("n"), data.receivedAt());
                } catch (WebhookException error) {
                    say(error.getMessage());
                }
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
`;
/** Program that tries what texts are JSON, and what becomes of them; in the package, because users do not need it. */
const JSON_PROGRAM = `
package heliograph;

public class TryJson {
    public static void main(String[] texts) {
        for (String text : texts) {
            try {
                System.out.println(Json.write(Json.parse(text)));
            } catch (IllegalArgumentException error) {
                System.out.println("refused");
            }
        }
    }
}
`;

const skip = withoutProgram(spawnSync('javac', ['-version']).status === 0, 'Java', 'default-jdk-headless');
const folder = mkdtempSync(join(tmpdir(), 'heliograph-java-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (file: string) => join(folder, file);

const { examples, receiver } = readmeOf('java', 'java');
if (!skip) {
  const imports = examples.match(/^import .*$/gm)!.join('\n');
  const body = examples.replaceAll(/^import .*$/gm, '');
  mkdirSync(inFolder('heliograph'));
  writeFileSync(inFolder('Walk.java'), PROGRAM);
  writeFileSync(inFolder('heliograph/TryJson.java'), JSON_PROGRAM);
  writeFileSync(
    inFolder('Examples.java'),
    `${imports}\npublic class Examples {\n    public static void main(String[] args) {\n${body}\n    }\n}\n`,
  );
  // The port is an argument here.
  writeFileSync(inFolder('Receiver.java'), receiver.replace('3000', 'Integer.parseInt(args[0])'));
  const files = [...globSync(`${CLIENT}/**/*.java`), ...globSync(`${folder}/**/*.java`)];
  const { status, stderr } = spawnSync(
    'javac',
    ['--release', '17', '-encoding', 'UTF-8', '-Xlint:all', '-Werror', '-d', inFolder('classes'), ...files],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
}
// A program of a second needs no second compiler.
const java = (name: string, ...args: string[]) => [
  'java',
  '-XX:TieredStopAtLevel=1',
  '-Dfile.encoding=UTF-8',
  '-cp',
  inFolder('classes'),
  name,
  ...args,
];

clientSuite({
  language: 'Java',
  skip,
  program: java('Walk'),
  examples: java('Examples'),
  cancels: true,
  receiver: (port) => java('Receiver', String(port)),
});

test('the Java client reads and writes JSON exactly, and refuses what is none', { skip }, () => {
  const good = [
    '{"a":[1,-2.50,true,false,null],"b":{}}',
    '[9223372036854775807,9223372036854775808,-9223372036854775808]',
    '["\\"\\\\/\\u0001é\\ud83d\\ude00"]',
    '""',
  ];
  const bad = [
    '',
    '{',
    '[1,]',
    '{"a":1,}',
    '01',
    '1.',
    '.5',
    '1e9999',
    '"\n"',
    '"\\x"',
    '"\\u12"',
    'nul',
    '1 2',
    '['.repeat(500),
  ];
  const [program, ...args] = java('heliograph.TryJson', ...good, ...bad);
  const { stdout, stderr } = spawnSync(program!, args, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  assert.deepEqual(stdout.trimEnd().split('\n'), [...good, ...bad.map(() => 'refused')], stderr);
});
