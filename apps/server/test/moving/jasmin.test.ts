import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { moveFromJasmin } from '#modules/moving';
import { startTestApi } from '../test-api.ts';
import { applied, calls, planOf } from './moving-stage.ts';

const api = await startTestApi({ after });
const folder = mkdtempSync(join(tmpdir(), 'heliograph-moving-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const OPTIONS = {
  corporation: 'Jas',
  contact: 'it@jas.example',
  numbers: ['2345'],
  blocked: [],
  today: '2027-01-01',
  enable: false,
};

/** A session as a terminal shows it. */
const SESSION = `Authentication required.
jcli : group -l
#Group id
#marketing
Total Groups: 1
jcli : smppccm -s Globe
ripf 0
elink_interval 15
bind_to 30
port 2775
password globepw
src_addr None
dst_ton 1
dst_npi 1
res_to 60
username globe
validity None
host 10.0.0.9
src_ton 2
src_npi 1
systype VMA
cid Globe
bind transceiver
coding 0
submit_throughput 20
custom_tlvs none
jcli : smppccm -s Listen
cid Listen
bind receiver
jcli : smppccm -s Smart
cid Smart
host 10.0.0.8
port 2776
username smart
password smartpw
bind transmitter
submit_throughput 0
jcli : smppccm -l
#Connector id                        Service Session          Starts Stops
#Globe                               started BOUND_TRX        1      0
#Listen                              stopped None             0      0
#Smart                               started BOUND_TX         1      0
#Old                                 stopped None             0      0
Total connectors: 4
jcli : user -s foo
username foo
mt_messaging_cred defaultvalue src_addr JASMIN
mt_messaging_cred quota http_throughput ND
mt_messaging_cred quota balance 44.2
mt_messaging_cred quota sms_count ND
mt_messaging_cred valuefilter src_addr ^JASMIN$
mt_messaging_cred valuefilter dst_addr .*
mt_messaging_cred authorization http_send True
mt_messaging_cred authorization smpps_send True
uid foo
smpps_cred authorization bind True
gid marketing
jcli : mtrouter -l
#Order Type                    Rate       Connector ID(s)                     Filter(s)
#30    StaticMTRoute           0.10000    smppc(Smart)                        <UserFilter (uid=foo)>
#20    FailoverMTRoute         0.35125    smppc(Globe), smppc(Smart)          <DestinationAddrFilter (dst_addr=^63917\\d+)>
#0     DefaultRoute            0.50000    smppc(Smart)
Total MT Routes: 3
jcli : httpccm -l
#Httpcc id        Type                   Method URL
#web              HttpConnector          GET    http://shop.example/mo
Total Httpccs: 1
jcli : morouter -l
#Order Type                    Connector ID(s)                  Filter(s)
#10    StaticMORoute           http(web)                        <ShortMessageFilter (msg=^info.*$)>
#0     DefaultRoute            smpps(foo)
Total MO Routes: 2
`;

test('the answers of jcli become links, routes, prices, a program and its balance', async () => {
  const file = join(folder, 'session.txt');
  writeFileSync(file, SESSION);
  const moved = moveFromJasmin(file, OPTIONS);
  const notes = moved.notes.map(({ line, text }) => `${line} ${text}`).join('\n');
  for (const words of [
    /"Listen" is a receiver/,
    /"Old" is only in the list\. Add the answer of "smppccm -s Old"/,
    /route by <UserFilter \(uid=foo\)> is not possible/,
    /0\.35125 becomes 0\.352/,
    /User "foo" gets a new key/,
    /valuefilter src_addr \^JASMIN\$ of "foo"/,
    /routing to smpps foo is not possible/,
  ])
    assert.match(notes, words);
  assert.doesNotMatch(notes, /dst_addr \.\*/);
  const secrets = Object.fromEntries(moved.secrets);
  assert.deepEqual(Object.values(secrets), ['globepw', 'smartpw']);
  await calls(api, async (each) => {
    await applied(each, moved.write(), secrets);
    const again = await planOf(each, moved.write(), secrets);
    assert.deepEqual([again.faults, again.lines.filter((line) => /^[+~] (?!payment)/.test(line))], [[], []]);
  });
  const owner = api.database.pool('owner');
  const routes = await owner.query(
    `SELECT r.name, r.prefix, string_agg(l.name || ' ' || k.position, ', ' ORDER BY k.position) AS links
     FROM carrier_route r JOIN carrier_route_link k ON k.carrier_route_id = r.id JOIN link l ON l.id = k.link_id
     WHERE r.name LIKE 'Jasmin%' GROUP BY r.id ORDER BY r.name`,
  );
  assert.deepEqual(routes.rows, [
    { name: 'Jasmin', prefix: '', links: 'Smart 1' },
    { name: 'Jasmin 63917', prefix: '63917', links: 'Globe 1, Smart 2' },
  ]);
  const rate = await owner.query(
    `SELECT r.charge, p.default_charge FROM rate r JOIN price_plan p ON p.id = r.price_plan_id WHERE p.name = 'Jas prices'`,
  );
  assert.deepEqual(
    rate.rows.map(({ charge, default_charge }) => [Number(charge), Number(default_charge)]),
    [[352, 500]],
  );
});

test('a file that persist wrote is refused, with the way to a text', () => {
  const file = join(folder, 'jcli-prod.smppcc');
  writeFileSync(file, Buffer.from([0x80, 0x02, 0x5d, 0x00]));
  assert.throws(() => moveFromJasmin(file, OPTIONS), /copy the answers of jcli instead/);
});
