import smpp from 'smpp';
import { cpuSeconds } from '../../harness/child.ts';

// Submits with the npm library `smpp` and prints the seconds from the first submit to the last response, and the
// processor seconds that they took. Arguments: port, messages, window, text.

const [port, count, window, text] = process.argv.slice(2) as [string, string, string, string];
const session = smpp.connect({ host: '127.0.0.1', port: Number(port) });
session.on('error', (error) => {
  throw error;
});
await new Promise((resolve) => session.on('connect', resolve));
await new Promise((resolve) => session.bind_transceiver({ system_id: 'bench', password: '' }, resolve));
const [began, cpu] = [performance.now(), cpuSeconds()];
let [sent, answered] = [0, 0];
await new Promise<void>((resolve) => {
  const submit = () =>
    session.submit_sm(
      {
        source_addr: 'Bench',
        source_addr_ton: 5,
        dest_addr_ton: 1,
        dest_addr_npi: 1,
        destination_addr: String(639_170_000_000 + sent++),
        short_message: text,
      },
      () => {
        answered++;
        if (sent < Number(count)) submit();
        else if (answered === Number(count)) resolve();
      },
    );
  for (let i = 0; i < Number(window); i++) submit();
});
process.stdout.write(JSON.stringify({ seconds: (performance.now() - began) / 1_000, cpu: cpuSeconds() - cpu }));
process.exit(0);
