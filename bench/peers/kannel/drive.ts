import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@heliograph/installation/ports';
import pg from 'pg';
import { type KannelGroup, startKannel } from '../../../apps/server/test/delivery/kannel-gateway.ts';
import type { Child } from '../../harness/child.ts';
import type { House } from '../../harness/house.ts';
import { BoxClient } from './box-client.ts';
import type { InstalledKannel } from './install.ts';

const TEXT = 'Your order is on its way and will arrive before noon today. Thank you for shopping with us.';
const BIND_MS = 20_000;
const FEED_MS = 5;

/** Configuration and feeding of Kannel. Its fastest one differs from machine to machine. */
export interface Drive {
  /** Number of SMPP sessions, each with its own window. */
  binds: number;
  window: number;
  /** Number of connections from the feeder to bearerbox. */
  boxes: number;
  /** Most messages that are sent and have no receipt yet. */
  ahead: number;
  /** Place where Kannel stores the data to match receipts: in memory, or in PostgreSQL. */
  storage: 'internal' | 'pgsql';
}

/** Load for Kannel. */
export interface Load {
  count: number;
  /** Seconds after which the run ends, however many messages were sent. */
  seconds: number;
  /** Seconds for which the carrier holds every receipt back; they do not count. */
  held: number;
}

/** Results of one run. */
export interface Driven {
  rate: number;
  /** Number of receipts that the carrier saw acknowledged. */
  acknowledged: number;
  /** Number of those receipts that Kannel did not hand on. */
  lost: number;
}

const DLR_TABLE = `
  DROP TABLE IF EXISTS kannel_dlr;
  CREATE TABLE kannel_dlr (smsc text, ts text, destination text, source text, service text, url text, mask integer,
    status integer, boxc text);
  CREATE INDEX kannel_dlr_ts ON kannel_dlr (ts, smsc)`;

/** Makes Kannel's own table in our PostgreSQL, with the index for its lookups; returns the settings to reach it. */
async function receiptTable({ postgres }: House): Promise<KannelGroup[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(DLR_TABLE);
  await client.end();
  const { username, password, port, pathname, searchParams, hostname } = new URL(postgres.url);
  const id = 'receipts';
  return [
    [
      'pgsql-connection',
      {
        id,
        host: searchParams.get('host') ?? hostname,
        port,
        username,
        password: decodeURIComponent(password),
        database: pathname.slice(1),
        'max-connections': 4,
      },
    ],
    [
      'dlr-db',
      {
        id,
        table: 'kannel_dlr',
        'field-smsc': 'smsc',
        'field-timestamp': 'ts',
        'field-destination': 'destination',
        'field-source': 'source',
        'field-service': 'service',
        'field-url': 'url',
        'field-mask': 'mask',
        'field-status': 'status',
        'field-boxc-id': 'boxc',
      },
    ],
  ];
}

function binds(drive: Drive, carrierPort: number): KannelGroup[] {
  return Array.from({ length: drive.binds }, (_, i) => [
    'smsc',
    {
      smsc: 'smpp',
      'smsc-id': 'bench',
      host: '127.0.0.1',
      port: carrierPort,
      // Each session has its own name: receipts come back on the session that sent the message, as with most carriers.
      'smsc-username': `kannel${i}`,
      'smsc-password': 'bench',
      'system-type': '""',
      'transceiver-mode': true,
      'max-pending-submits': drive.window,
    },
  ]);
}

/** Lets Kannel send messages over a carrier, spooled to its file store; the rate is of acknowledged receipts. */
export async function driveKannel(
  house: House,
  kannel: InstalledKannel,
  carrier: Child,
  drive: Drive,
  load: Load,
): Promise<Driven> {
  const folder = mkdtempSync(join(house.folder, 'kannel-'));
  const [admin, boxPort] = await Promise.all([freePort(0), freePort(0)]);
  const bearerbox = await startKannel({
    program: kannel.bearerbox,
    folder,
    port: boxPort!,
    environment: kannel.environment,
    groups: [
      [
        'core',
        {
          'admin-port': admin!,
          'admin-password': 'bench',
          'smsbox-port': boxPort!,
          'store-type': 'file',
          'store-location': join(folder, 'store'),
          'smsbox-max-pending': 10_000,
          'dlr-storage': drive.storage,
        },
      ],
      ...(drive.storage === 'pgsql' ? await receiptTable(house) : []),
      ...binds(drive, carrier.ready.port!),
      ['smsbox', { 'bearerbox-host': '127.0.0.1' }],
    ],
  });
  house.closing.push(() => bearerbox.stop());
  try {
    for (let waited = 0; (await carrier.ask('counts')).binds! < drive.binds; waited += 50) {
      if (waited > BIND_MS) throw new Error('Kannel did not bind to the carrier within 20 s');
      await sleep(50);
    }
    const boxes = await Promise.all(
      Array.from({ length: drive.boxes }, (_, i) => BoxClient.open(boxPort!, `bench${i}`)),
    );
    const result = await Promise.race([bearerbox.failed, feed(boxes, carrier, drive.ahead, load)]);
    for (const box of boxes) box.close();
    return result;
  } finally {
    await bearerbox.stop();
  }
}

async function feed(
  boxes: readonly BoxClient[],
  carrier: Child,
  ahead: number,
  { count, seconds, held }: Load,
): Promise<Driven> {
  const receipts = () => boxes.reduce((sum, box) => sum + box.receipts, 0);
  const started = performance.now();
  let fed = 0;
  let [acknowledged, elapsed] = [0, 0];
  let lookedAt = started;
  while (acknowledged < count && elapsed < seconds + held) {
    const room = Math.min(count - fed, ahead - (fed - receipts()));
    if (room > 0) {
      const share = Math.ceil(room / boxes.length);
      for (const box of boxes) {
        const now = Math.min(share, count - fed);
        const numbers = Array.from({ length: now }, (_, i) => `63917${String(1_000_000 + fed + i).slice(-7)}`);
        fed += now;
        if (now > 0) box.send(numbers, TEXT);
      }
    }
    await sleep(FEED_MS);
    if (performance.now() - lookedAt < 100) continue;
    lookedAt = performance.now();
    acknowledged = (await carrier.ask('counts')).receipts_acknowledged!;
    elapsed = (performance.now() - started) / 1_000;
  }
  if (acknowledged === 0) throw new Error('Kannel acknowledged no receipt at all');
  // The last acknowledged receipts are still on their way from bearerbox to us.
  await sleep(500);
  return { rate: acknowledged / (elapsed - held), acknowledged, lost: Math.max(0, acknowledged - receipts()) };
}
