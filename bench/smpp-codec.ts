import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { startSimulator } from '../packages/carrier-simulator/src/index.ts';
import {
  buildReceipt,
  COMMAND_ID,
  type DeliverSm,
  decodeAt,
  encodeMessage,
  encodeMessageResp,
  openSession,
  PduWriter,
  parseReceipt,
  STATUS,
} from '../packages/smpp/src/index.ts';
import { SAMPLE_SUBMIT } from './harness/sample-submit.ts';

const report = (figure: string, value: number): void =>
  console.log(JSON.stringify({ bench: 'smpp-codec', figure, value: Math.round(value), unit: '1/s' }));

/**
 * Returns the processor seconds of this process. Other programs on the machine distort them less than the wall clock.
 */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Returns the PDUs encoded and decoded again in a second of one core, the best of five rounds. */
function rate(each: (writer: PduWriter, i: number) => void): number {
  const writer = new PduWriter();
  let best = 0;
  for (let round = 0; round < 5; round++) {
    const count = 200_000;
    const began = cpuSeconds();
    for (let i = 0; i < count; i++) {
      if (writer.length > 60_000) writer.length = 0;
      const at = writer.length;
      each(writer, i);
      decodeAt(writer.buffer, at, writer.length - at);
    }
    best = Math.max(best, count / (cpuSeconds() - began));
  }
  return best;
}

function codec(): void {
  report(
    'submit_sm_per_second',
    rate((w, i) => encodeMessage(w, COMMAND_ID.submit_sm, i + 1, SAMPLE_SUBMIT)),
  );
  report(
    'submit_sm_resp_per_second',
    rate((w, i) => encodeMessageResp(w, COMMAND_ID.submit_sm_resp, i + 1, 0, '1763735000000001')),
  );
  const receipt = buildReceipt({ id: '1763735000000001', state: 'delivered', submitted: 0, done: 0 });
  const deliver = { ...SAMPLE_SUBMIT, ...receipt };
  report(
    'receipt_per_second',
    rate((w, i) => encodeMessage(w, COMMAND_ID.deliver_sm, i + 1, deliver)),
  );
  const w = new PduWriter();
  encodeMessage(w, COMMAND_ID.deliver_sm, 1, deliver);
  const pdu = decodeAt(w.buffer, 0, w.length) as DeliverSm;
  let best = 0;
  for (let round = 0; round < 5; round++) {
    const began = cpuSeconds();
    for (let i = 0; i < 200_000; i++) parseReceipt(pdu);
    best = Math.max(best, 200_000 / (cpuSeconds() - began));
  }
  report('receipt_parse_per_second', best);
}

/** Measures submits per second over loopback with a receipt for each, with the simulator in its own thread. */
async function loopback(port: number, count: number, figure: string | undefined): Promise<void> {
  let sent = 0;
  let receipts = 0;
  const began = performance.now();
  await new Promise<void>((resolve) => {
    const session = openSession<number>(
      { host: '127.0.0.1', port, window: 2_000, bind: { mode: 'transceiver', system_id: 'bench', password: '' } },
      {
        onBound: () => fill(),
        onReady: () => fill(),
        onRequests: (requests) => {
          for (const request of requests) {
            if (parseReceipt(request as DeliverSm)?.state === 'delivered') receipts++;
            session.respond(request, STATUS.ROK);
          }
          if (receipts >= count) void session.unbind().then(resolve);
        },
      },
    );
    const fill = (): void => {
      while (
        sent < count &&
        session.submit({ ...SAMPLE_SUBMIT, destination_addr: String(639_170_000_000 + sent) }, sent)
      )
        sent++;
    };
  });
  if (figure !== undefined) report(figure, (count / (performance.now() - began)) * 1_000);
}

/** Returns the processor seconds of the calling thread. */
function threadSeconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}

function simulatorSeconds(worker: Worker): Promise<number> {
  const answer = new Promise<number>((resolve) => worker.once('message', resolve));
  worker.postMessage('cpu');
  return answer;
}

if (isMainThread) {
  codec();
  for (const quiet of [true, false]) {
    const worker = new Worker(new URL(import.meta.url), { argv: [quiet ? 'quiet' : 'logging'] });
    const port = await new Promise<number>((resolve) => worker.once('message', resolve));
    await loopback(port, 50_000, undefined);
    const count = Number(process.env.SMPP_BENCH_COUNT ?? 300_000);
    const figure = quiet ? 'loopback' : 'loopback_with_log';
    const before = [threadSeconds(), await simulatorSeconds(worker)] as const;
    await loopback(port, count, `${figure}_submits_per_second`);
    const after = [threadSeconds(), await simulatorSeconds(worker)] as const;
    report(`${figure}_session_submits_per_cpu_second`, count / (after[0] - before[0]));
    report(`${figure}_simulator_submits_per_cpu_second`, count / (after[1] - before[1]));
    await worker.terminate();
  }
} else {
  const simulator = await startSimulator({
    smppPort: 0,
    httpPort: null,
    quiet: process.argv[2] === 'quiet',
    settings: { receipt_delay_ms: 100, magic_numbers: false },
  });
  parentPort!.on('message', () => parentPort!.postMessage(threadSeconds()));
  parentPort!.postMessage(simulator.smppPort);
}
