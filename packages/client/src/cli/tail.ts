import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { FeedEvent } from '../heliograph.ts';
import { COMMON, type Command, note, print, read, UsageError } from './command.ts';

const TYPES = [
  'message.delivered',
  'message.failed',
  'message.expired',
  'message.corrected',
  'message.received',
  'campaign.finished',
  'link.clicked',
  'journey.step',
  'verification.approved',
  'verification.failed',
  'verification.expired',
  'balance.low',
  'payment.received',
  'invoice.issued',
] as const satisfies readonly FeedEvent['type'][];

const options = {
  types: { value: 'A,B', help: 'Only these types of events' },
  all: { help: 'Start with the oldest event that is kept' },
  once: { help: 'Stop after the present events' },
  cursor: { value: 'FILE', help: 'File that keeps the position, to continue from it' },
  ...COMMON,
};

function lineOf({ timestamp, type, data }: FeedEvent): string {
  const words = Object.entries(data).flatMap(([name, value]) =>
    value === null || (Array.isArray(value) && value.length === 0) ? [] : [`${name}=${JSON.stringify(value)}`],
  );
  return [timestamp, type, ...words].join(' ');
}

function keep(file: string, cursor: string): void {
  writeFileSync(`${file}.new`, cursor);
  renameSync(`${file}.new`, file);
}

export const tail: Command = {
  summary: 'Follow events: deliveries, failures, replies',
  usage: '[options]',
  options,
  notes: `Types: ${TYPES.join(', ')}.\nWithout --all or a kept position it starts with new events. Press Ctrl-C to stop.`,
  async run(args, signal) {
    const { text, has, client } = read(args, options);
    const types = text('types')?.split(',') as FeedEvent['type'][] | undefined;
    const unknown = types?.find((type) => !TYPES.includes(type));
    if (unknown !== undefined) throw new UsageError(`No event has the type ${unknown}. Types: ${TYPES.join(', ')}.`);
    const file = text('cursor');
    const kept = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
    const cursor = kept || (has('all') ? undefined : 'now');
    const events = client().events({ limit: 1_000, cursor, follow: !has('once'), signal, ...(types && { types }) });
    if (!has('once')) note('Waiting for events. Press Ctrl-C to stop.');
    for await (const { data, next_cursor } of events.pages()) {
      for (const event of data) print(has('json') ? JSON.stringify(event) : lineOf(event));
      // Stored after the events are printed: an event printed twice is better than a lost one.
      if (file !== undefined && next_cursor !== null) keep(file, next_cursor);
    }
  },
};
