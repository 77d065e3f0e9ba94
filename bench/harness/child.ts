import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** A process of the benchmark that answers questions over IPC, one after another. */
export interface Child {
  /** Values that the process reported when it was ready. */
  ready: Record<string, number>;
  ask(question: string): Promise<Record<string, number>>;
  /** Asks the process to end; after 20 s it is killed. */
  stop(): Promise<void>;
}

const STOP_MS = 20_000;

/** Starts a file of this folder with options for Node before it; rejects if it ends before it is ready. */
export async function startChild(
  file: string,
  environment: Record<string, string>,
  nodeOptions: readonly string[] = [],
): Promise<Child> {
  const child: ChildProcess = spawn(process.execPath, [...nodeOptions, join(import.meta.dirname, file)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waiting: { resolve(answer: Record<string, number>): void; reject(error: Error): void }[] = [];
  const gone = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  let ended = false;
  child.on('message', (answer) => waiting.shift()?.resolve(answer as Record<string, number>));
  void gone.then(() => {
    ended = true;
    for (const { reject } of waiting.splice(0)) reject(new Error(`${file} ended before it answered`));
  });
  const answer = () =>
    new Promise<Record<string, number>>((resolve, reject) => {
      if (ended) reject(new Error(`${file} has ended`));
      else waiting.push({ resolve, reject });
    });
  return {
    ready: await answer(),
    ask(question) {
      const answered = answer();
      if (child.connected) child.send(question);
      return answered;
    },
    async stop() {
      if (ended) return;
      if (child.connected) child.send('stop');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await gone;
      clearTimeout(timer);
    },
  };
}

/** Lets this process answer its parent's questions until the parent stops it. */
export function answerQuestions(answer: (question: string) => Record<string, number>, stop: () => Promise<void>): void {
  process.on('message', (question: string) => {
    if (question === 'stop') void stop().then(() => process.exit(0));
    else process.send?.(answer(question));
  });
  process.on('disconnect', () => process.exit(1));
  // Ctrl-C reaches the whole group. The parent decides in which order its processes end.
  process.on('SIGINT', () => undefined);
}

/** User and system processor seconds of this process. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
