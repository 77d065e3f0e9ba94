import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process of the benchmark that answers questions over IPC. */
export interface Child {
  /** What it said when it was ready. */
  ready: Record<string, number>;
  ask(question: string): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

/** Starts a file of this folder with Node's own options before it. */
export async function startChild(
  file: string,
  environment: Record<string, string>,
  nodeOptions: readonly string[] = [],
): Promise<Child> {
  const child: ChildProcess = spawn(process.execPath, [...nodeOptions, join(import.meta.dirname, file)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const answer = async () => {
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended`))),
    ]);
    return message as Record<string, number>;
  };
  return {
    ready: await answer(),
    ask(question) {
      const answered = answer();
      child.send(question);
      return answered;
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.send('stop');
      await once(child, 'exit');
    },
  };
}

/** Lets this process answer questions of its parent until it is told to stop. */
export function answerQuestions(answer: (question: string) => Record<string, number>, stop: () => Promise<void>): void {
  process.on('message', (question: string) => {
    if (question === 'stop') void stop().then(() => process.exit(0));
    else process.send?.(answer(question));
  });
  process.on('disconnect', () => process.exit(1));
}

/** User and system processor seconds of this process. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
