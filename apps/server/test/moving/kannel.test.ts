import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startSimulator } from '@heliograph/carrier-simulator';
import { until } from '@heliograph/fault-kit';
import { Sender } from '#modules/delivery';
import { moveFromKannel } from '#modules/moving';
import { kannelProgram, withoutKannel } from '../delivery/kannel-gateway.ts';
import { listens, ownPort } from '../own-port.ts';
import { startTestApi } from '../test-api.ts';
import { applied, calls, planOf } from './moving-stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-moving-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const BLOCKED = '639170000099\n';
const OPTIONS = {
  corporation: 'Sari',
  contact: 'it@sari.example',
  numbers: ['2345'],
  blocked: [join(folder, 'black.txt')],
  today: '2027-01-01',
  enable: true,
};

/** Writes a configuration of two files and a black list; answers its path. */
async function configuration(carrierPort: number, box: number): Promise<string> {
  const file = join(folder, 'kannel.conf');
  const admin = await ownPort();
  writeFileSync(join(folder, 'black.txt'), BLOCKED);
  writeFileSync(
    join(folder, 'carriers.conf'),
    `group = smsc
smsc = smpp
smsc-id = globe
host = 127.0.0.1
port = ${carrierPort}
transceiver-mode = true
smsc-username = heliograph
smsc-password = "he\\"graph"
system-type = "VMA"
throughput = 20
max-pending-submits = 50
enquire-link-interval = 15
reconnect-delay = 1
validityperiod = 60
source-addr-ton = 1
source-addr-npi = 1
dest-addr-ton = 1
dest-addr-npi = 1
allowed-prefix = "0917;+63915"
`,
  );
  writeFileSync(
    file,
    `# Gateway of a shop
group = core
admin-port = ${admin}
admin-password = bar
smsbox-port = ${box}
unified-prefix = "+63,0063,0;+,00"
store-type = file
store-location = "${join(folder, 'store')}"

include = "${join(folder, 'carriers.conf')}"

group = smsbox
bearerbox-host = 127.0.0.1
global-sender = 2345

group = sendsms-user
username = shop
password = "secret"
default-sender = ACME
user-deny-ip = "*.*.*.*"
user-allow-ip = "127.0.0.1;10.1.*.*"
max-messages = 3

group = sms-service
keyword = info
aliases = "INFOS;HELPME"
text = "Open daily 9 to 5"

group = sms-service
keyword = default
get-url = "http://shop.example/in?from=%p&text=%a&site=ph"
max-messages = 0

group = sms-service
keyword = run
exec = "/bin/true"
`,
  );
  return file;
}

test('a configuration that Kannel takes becomes an installation that sends', { skip: withoutKannel }, async (t) => {
  const accounts = { heliograph: 'he"graph' };
  const carrier = await startSimulator({ smppPort: 0, httpPort: null, settings: { receipt_delay_ms: 20, accounts } });
  t.after(() => carrier.stop());
  const box = await ownPort();
  const file = await configuration(carrier.smppPort, box);

  const bearerbox = spawn(kannelProgram('bearerbox')!, ['-v', '4', file], { cwd: folder, stdio: 'ignore' });
  t.after(() => bearerbox.kill('SIGKILL'));
  await until('Kannel listens', () => listens(box), 30_000);
  await until('Kannel is bound', () => carrier.counts().binds > 0, 30_000);
  const gone = new Promise((resolve) => bearerbox.once('exit', resolve));
  bearerbox.kill('SIGKILL');
  await gone;
  const before = carrier.counts().binds;

  const moved = moveFromKannel(file, OPTIONS);
  const text = moved.write();
  assert.ok(!text.includes('he"graph') && !text.includes('secret"'), text);
  const secrets = Object.fromEntries(moved.secrets);
  const api = await startTestApi(t);
  const key = await calls(api, async (each) => {
    const { rows } = await applied(each, text, secrets, moved.files);
    const again = await planOf(each, text, secrets);
    assert.deepEqual([again.faults, again.lines.filter((line) => /^[+~] (?!blocked)/.test(line))], [[], []]);
    return rows.find((row) => typeof row['auth_token'] === 'string')!;
  });
  const sender = new Sender(api.config, api.log);
  await sender.start();
  t.after(() => sender.stop());
  await until('the link is bound', () => carrier.counts().binds > before, 30_000);
  const query = new URLSearchParams({
    username: String(key['prefix']),
    password: String(key['key']),
    from: 'ACME',
    to: '639170000001',
    text: 'Moved in',
  });
  const answer = await fetch(`${api.url}/cgi-bin/sendsms?${query}`);
  assert.deepEqual([answer.status, (await answer.text()).trim()], [202, '0: Accepted for delivery']);
  await until('the carrier has the message', () => carrier.messagesOf('639170000001').length === 1, 30_000);
  assert.equal(carrier.messagesOf('639170000001')[0]!.text, 'Moved in');
});
