import { freePort } from '../src/platform/ports.ts';

/** Below the ports a system gives to whoever asks for any, so that nobody takes one before it is listened on. */
const FIRST = 10_000;
const COUNT = 22_000;
/** Each process chooses among ports of its own. */
const OF_A_PROCESS = 16;

let asked = 0;

/** A port that nobody listens on, for a program that is started later and has to be told its port. */
export async function ownPort(): Promise<number> {
  for (;;) {
    const port = FIRST + ((process.pid * OF_A_PROCESS + asked++) % COUNT);
    if ((await freePort(port)) !== undefined) return port;
  }
}
