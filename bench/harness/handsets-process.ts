import { startSimulator } from '@heliograph/carrier-simulator';
import { answerQuestions, cpuSeconds } from './child.ts';

// A carrier with handsets that write. `write <from> <count> <a second>` begins; each message comes from a number of its
// own, counted up from `from`. `written` returns how many have left, and `times` when each left, in epoch milliseconds.

const NUMBER = '2929';
const TEXT = 'SALE yes, please send me the offer of this week to the address that you know';
const EVERY_MS = 10;

const simulator = await startSimulator({
  smppPort: 0,
  httpPort: null,
  quiet: true,
  window: 2_000,
  settings: { receipt_delay_ms: 100, magic_numbers: false },
});
let times: Record<string, number> = {};
let written = 0;

/** Sends at an even pace, and catches up if a busy machine was late. */
function write(from: number, count: number, rate: number): void {
  times = {};
  written = 0;
  const began = performance.now();
  const timer = setInterval(() => {
    const due = Math.min(count, Math.ceil(((performance.now() - began) / 1_000) * rate));
    for (; written < due; written++) {
      const number = String(from + written);
      if (simulator.sendFromHandset({ from: number, to: NUMBER, text: TEXT }) === 0) return;
      times[number] = Date.now();
    }
    if (written >= count) clearInterval(timer);
  }, EVERY_MS);
}

answerQuestions(
  (question) => {
    const [verb, from, count, rate] = question.split(' ');
    if (verb === 'write') write(Number(from), Number(count), Number(rate));
    if (verb === 'times') return times;
    return { ...simulator.counts(), written, cpu: cpuSeconds() };
  },
  () => simulator.stop(),
);
process.send?.({ port: simulator.smppPort });
