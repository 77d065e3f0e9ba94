import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Scope } from '../template-database.ts';

// Kafka's own broker is no Debian package. librdkafka brings brokers that speak its protocol for tests; its command reads
// from them what we send.

const program = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'kcat'))
  .find((path) => existsSync(path));

/** Reason why tests that need brokers of Kafka are skipped, or false. If CI is set, they fail instead. */
export const withoutKafka =
  program || process.env.CI
    ? false
    : 'NOT RUN: kcat is not installed (apt-get install kcat), so nothing of Kafka was tested';

/** Record that a consumer got. */
export interface KafkaRecord {
  partition: number;
  key: string;
  headers: string[];
  payload: string;
}

/** Starts a cluster of two brokers with a topic, and a consumer that reads it from the beginning. */
export async function kafkaCluster(t: Scope, topic: string) {
  if (!program) throw new Error('kcat is not installed (apt-get install kcat)');
  const options = ['-X', 'test.mock.num.brokers=2', '-d', 'mock'];
  const child = spawn(program, ['-b', 'replaced', '-C', '-u', '-J', '-t', topic, '-o', 'beginning', ...options]);
  t.after(() => void child.kill('SIGKILL'));
  const records: KafkaRecord[] = [];
  createInterface(child.stdout).on('line', (line) => records.push(JSON.parse(line) as KafkaRecord));
  const servers = await new Promise<string>((found, failed) => {
    child.once('exit', () => failed(new Error('kcat ended')));
    createInterface(child.stderr).on('line', (line) => {
      const brokers = /bootstrap\.servers=(\S+)/.exec(line)?.[1];
      if (brokers) found(brokers);
    });
  });
  return { servers, records };
}
