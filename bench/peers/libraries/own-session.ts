import { Buffer } from 'node:buffer';
import { openSession } from '../../../packages/smpp/src/index.ts';
import { cpuSeconds } from '../../harness/child.ts';

// Submits with a bare session of our own, as npm-smpp.ts does with its library: same arguments, same answer.

const [port, count, window, text] = process.argv.slice(2) as [string, string, string, string];
const fields = {
  source_addr: 'Bench',
  source_addr_ton: 5,
  dest_addr_ton: 1,
  dest_addr_npi: 1,
  short_message: Buffer.from(text),
};
let [sent, answered, began, cpu] = [0, 0, 0, 0];
await new Promise<void>((resolve) => {
  const session = openSession<number>(
    {
      host: '127.0.0.1',
      port: Number(port),
      window: Number(window),
      bind: { mode: 'transceiver', system_id: 'bench', password: '' },
    },
    {
      onBound: () => {
        [began, cpu] = [performance.now(), cpuSeconds()];
        fill();
      },
      onReady: () => fill(),
      onResponses: (responses) => {
        answered += responses.length;
        if (answered === Number(count)) resolve();
      },
    },
  );
  const fill = (): void => {
    while (sent < Number(count)) {
      if (!session.submit({ ...fields, destination_addr: String(639_170_000_000 + sent) }, sent)) return;
      sent++;
    }
  };
});
process.stdout.write(JSON.stringify({ seconds: (performance.now() - began) / 1_000, cpu: cpuSeconds() - cpu }));
process.exit(0);
