import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { CLIENTS, clientSuite, readmeOf, withoutProgram } from './client-suite.ts';

const PROGRAM = `
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Heliograph;

public static class Walk
{
    static string Env(string name) { return Environment.GetEnvironmentVariable(name) ?? ""; }

    static string Shown(object part) { return part == null ? "null" : part is bool ? part.ToString().ToLowerInvariant() : part.ToString(); }

    static void Say(params object[] parts) { Console.WriteLine(string.Join("|", parts.Select(Shown))); }

    static async Task Explain(Func<Task> call)
    {
        try
        {
            await call();
        }
        catch (ApiException error)
        {
            Say("refused", error.Status, error.Code, string.Join(",", error.Errors.Keys), error.RequestId != null);
        }
        catch (ConnectionException error)
        {
            Say("lost", error.Timeout, error.Message);
        }
    }

    static async Task Run(string what)
    {
        string from = Env("FROM"), to = Env("TO");
        using (var client = new HeliographClient(Env("URL"), Env("KEY")))
        switch (what)
        {
            case "send":
                for (var i = 0; i < 2; i++)
                    Say((await client.SendMessageAsync(new SendMessageRequest { From = from, To = to, Text = "Hello", Tags = new string[0] })).Id);
                break;
            case "consent":
                await Explain(() => client.AddConsentAsync(new AddConsentRequest { Number = to, Kind = AddConsentRequest.KindOptIn }));
                break;
            case "refused":
                await Explain(() => client.SendMessageAsync(new SendMessageRequest { From = from, To = "nobody", Text = "Hello" }));
                break;
            case "lost":
                client.Timeout = TimeSpan.FromMilliseconds(int.Parse(Env("LONGEST_MS")));
                client.Retries = 0;
                await Explain(() => client.GetBalanceAsync());
                break;
            case "cancel":
                using (var soon = new CancellationTokenSource(1000))
                {
                    try
                    {
                        await client.GetBalanceAsync(soon.Token);
                    }
                    catch (OperationCanceledException)
                    {
                        Say("ended");
                    }
                }
                break;
            case "list":
                var recipients = to.Split(',').Select(each => new SendBatchRecipient { To = each }).ToList();
                var batch = await client.SendBatchAsync(new SendBatchRequest { Recipients = recipients, From = from, Text = "Hi" });
                var query = new ListMessagesQuery { BatchId = batch.Id, Limit = 2 };
                var found = new List<object>();
                var messages = client.Every(client.ListMessagesAsync, query).GetAsyncEnumerator();
                while (await messages.MoveNextAsync()) found.Add(messages.Current.To);
                Say(found.ToArray());
                var pages = client.Pages(client.ListMessagesAsync, query).GetAsyncEnumerator();
                while (await pages.MoveNextAsync())
                    Say(pages.Current.HasMore ? new object[] { pages.Current.Data.Count, true } : new object[] { pages.Current.Data.Count });
                break;
            case "clear":
                Say((await client.SaveContactAsync(new SaveContactRequest { Number = to, Name = "Ann" })).Name);
                Say((await client.SaveContactAsync(new SaveContactRequest { Number = to, Fields = new Dictionary<string, object>() })).Name);
                Say((await client.SaveContactAsync(new SaveContactRequest { Number = to, Name = null })).Name);
                break;
            case "stream":
                var cursor = (await client.ListEventsAsync(new ListEventsQuery { Cursor = "now" })).NextCursor;
                Say("ready");
                foreach (var most in new[] { 2, 1 })
                {
                    var codes = new List<object>();
                    var events = client.StreamEvents(new StreamEventsQuery { Cursor = cursor }).GetAsyncEnumerator();
                    while (codes.Count < most && await events.MoveNextAsync())
                    {
                        cursor = events.Current.Id;
                        codes.Add(events.Current.DataAs<MessageFailedCallbackData>().ErrorCode);
                    }
                    await events.DisposeAsync();
                    Say(codes.ToArray());
                }
                break;
            case "callback":
                var headers = new Dictionary<string, string>
                {
                    { "webhook-id", Env("ID") }, { "webhook-timestamp", Env("STAMP") }, { "webhook-signature", Env("SIGNATURE") },
                };
                try
                {
                    var e = Webhook.Verify(Encoding.UTF8.GetBytes(Env("PAYLOAD")), name => headers[name], Env("SECRETS").Split(' '));
                    var data = e.DataAs<MessageReceivedCallbackData>();
                    Say(e.Id, e.Type, data.Text, e.Data["n"], data.ReceivedAt);
                }
                catch (WebhookException error)
                {
                    Say(error.Message);
                }
                break;
            default:
                throw new ArgumentException(what);
        }
    }

    public static void Main(string[] args)
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        Run(args[0]).GetAwaiter().GetResult();
    }
}
`;

/** Returns the library of JSON of this machine, which is older than that of the package. */
const newtonsoft = () => globSync('/usr/lib/{cli,mono}/**/Newtonsoft.Json.dll').sort()[0];

const skip = withoutProgram(
  ['mcs', 'mono'].every((name) => spawnSync(name, ['--version']).status === 0) && newtonsoft() !== undefined,
  'Mono',
  'mono-runtime mono-mcs libmono-system-net-http4.0-cil libnewtonsoft-json-cil-dev',
);
const folder = mkdtempSync(join(tmpdir(), 'heliograph-csharp-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (file: string) => join(folder, file);

function compile(...given: string[]): void {
  const libraries = ['-r:System.Net.Http.dll', `-r:${newtonsoft()}`];
  const { status, stderr, stdout } = spawnSync(
    'mcs',
    ['-langversion:latest', '-warn:4', '-warnaserror', ...libraries, ...given],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0, stderr + stdout);
}

const { examples, receiver } = readmeOf('csharp', 'csharp');
if (!skip) {
  writeFileSync(inFolder('Walk.cs'), PROGRAM);
  // The compiler of Mono knows no `await foreach`, whose meaning this is, and no statements outside of a class.
  const own = examples
    .replaceAll(/^using .*$/gm, '')
    .replaceAll(
      /await foreach \(var (\w+) in (.*)\)\n\{/g,
      (_, item: string, all: string) =>
        `for (var each1 = (${all}).GetAsyncEnumerator(); await each1.MoveNextAsync();)\n{\nvar ${item} = each1.Current;`,
    );
  writeFileSync(
    inFolder('Examples.cs'),
    `using System;\nusing System.Threading.Tasks;\nusing Heliograph;\npublic static class Examples {\nstatic async Task Run() {\n${own}\n}\npublic static void Main() { Run().GetAwaiter().GetResult(); }\n}\n`,
  );
  // The port is an argument here.
  writeFileSync(
    inFolder('Receiver.cs'),
    receiver.replace('Main()', 'Main(string[] args)').replace('3000/"', '" + args[0] + "/"'),
  );
  compile('-target:library', `-out:${inFolder('Heliograph.dll')}`, ...globSync(join(CLIENTS, 'csharp/*.cs')));
  for (const name of ['Walk', 'Examples', 'Receiver'])
    compile(`-r:${inFolder('Heliograph.dll')}`, `-out:${inFolder(`${name}.exe`)}`, inFolder(`${name}.cs`));
  writeFileSync(inFolder('Newtonsoft.Json.dll'), readFileSync(newtonsoft()!));
}

clientSuite({
  language: 'C#',
  skip,
  program: ['mono', inFolder('Walk.exe')],
  examples: ['mono', inFolder('Examples.exe')],
  cancels: true,
  receiver: (port) => ['mono', inFolder('Receiver.exe'), String(port)],
});
