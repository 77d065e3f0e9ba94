import { setTimeout as sleep } from 'node:timers/promises';
import { inHouse, ownSession } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';

// Measures events in the outbox of one corporation, to the last callback that is answered and recorded. Worker and
// receiver are processes of their own, and the receiver is fast and on this machine. Then the same runs beside a
// receiver that never answers.

const { count } = readOptions({ count: 100_000 });
const LIMIT_MS = 300_000;

await inHouse(async (house) => {
  const client = await ownSession(house);
  const receiver = await house.start('callback-receiver-process.ts');
  const url = `http://127.0.0.1:${(await receiver.ask('counts'))['port']}`;
  const corporation = async (name: string, path: string) =>
    Number(
      (
        await client.query('INSERT INTO corporation (name, callback_url) VALUES ($1, $2) RETURNING id', [
          name,
          url + path,
        ])
      ).rows[0].id,
    );
  const fast = await corporation('Fast', '/');
  const slow = await corporation('Slow', '/slow');
  const tell = (id: number, events: number) =>
    client.query(
      `INSERT INTO event (corporation_id, type, data)
       SELECT $1, 'balance.low', '{"billing_account_id": 1, "limit": "low_balance", "balance": 9500}' FROM generate_series(1, $2)`,
      [id, events],
    );
  const done = async () =>
    Number(
      (
        await client.query(
          `SELECT count(*) AS count FROM http_delivery d JOIN callback_endpoint e ON e.id = d.callback_endpoint_id
           WHERE d.kind = 'callback' AND e.corporation_id = $1 AND d.state = 'done'`,
          [fast],
        )
      ).rows[0].count,
    );
  await tell(fast, count);
  const worker = await house.start('callback-worker-process.ts', {
    PRIVATE_TARGETS: '127.0.0.0/8',
    HTTP_CALLBACKS: 'true',
  });
  const timed = async (wanted: number): Promise<number> => {
    const began = performance.now();
    while ((await done()) < wanted) {
      await sleep(100);
      if (performance.now() - began > LIMIT_MS) throw new Error('the callbacks do not arrive');
    }
    return (performance.now() - began) / 1_000;
  };
  const alone = await timed(count);
  const { cpu = 0 } = await worker.ask('counts');
  await tell(slow, 10_000);
  await tell(fast, count);
  const beside = await timed(2 * count);
  const { came = 0 } = await receiver.ask('counts');
  report('callbacks', [
    { figure: 'callbacks_per_second', value: count / alone, unit: '1/s (over 5,000)' },
    { figure: 'beside_one_that_hangs', value: count / beside, unit: '1/s' },
    { figure: 'worker_us_per_callback', value: (cpu / count) * 1e6, unit: 'µs of processor time' },
    { figure: 'sent_twice', value: came - 2 * count, unit: 'callbacks' },
  ]);
});
