import type { Message } from '../heliograph.ts';
import type { GetBatchReply } from '../types.ts';
import { COMMON, type Command, print, read, UsageError } from './command.ts';

const cancelOptions = { batch: { help: 'The id is the id of a batch' }, ...COMMON };
const options = { ref: { value: 'NAME', help: 'Your own reference, instead of an id' }, ...cancelOptions };

const messageLine = ({ id, to, state, error_code, price, currency, done_at }: Message) =>
  [id, to, state, error_code, `${price} ${currency}`, done_at].filter((each) => each !== null).join('  ');

function batchLine({ id, accepted, total, price, currency, states }: GetBatchReply): string {
  const each = Object.entries(states).map(([state, messages]) => `${messages} ${state}`);
  return `${id}  ${accepted} of ${total} accepted  ${price} ${currency}  ${each.join(', ')}`;
}

export const status: Command = {
  summary: 'Show the state of a message or a batch',
  usage: 'ID | --batch ID | --ref NAME',
  options,
  async run(args, signal) {
    const { positionals, text, has, client } = read(args, options);
    const ref = text('ref');
    const [id, more] = positionals;
    if ((id === undefined) === (ref === undefined) || more !== undefined)
      throw new UsageError('Name one message: its id, or --ref and your own reference.');
    const show = (message: Message) => print(has('json') ? JSON.stringify(message) : messageLine(message));
    if (id === undefined) {
      for await (const message of client().find({ client_ref: ref! }, { signal })) show(message);
    } else if (has('batch')) {
      const batch = await client().getBatch(id, { signal });
      print(has('json') ? JSON.stringify(batch) : batchLine(batch));
    } else show(await client().get(id, { signal }));
  },
};

export const cancel: Command = {
  summary: 'Cancel a message or a batch',
  usage: 'ID | --batch ID',
  options: cancelOptions,
  notes:
    'A message can be cancelled until its --at; of a batch, every message that was not sent yet. The reserved amount is released.',
  async run(args, signal) {
    const { positionals, has, client } = read(args, cancelOptions);
    const [id, more] = positionals;
    if (id === undefined || more !== undefined) throw new UsageError('Name one message or, with --batch, one batch.');
    const show = <Ended>(ended: Ended, line: (ended: Ended) => string) =>
      print(has('json') ? JSON.stringify(ended) : line(ended));
    if (has('batch')) show(await client().cancelBatch(id, { signal }), batchLine);
    else show(await client().cancel(id, { signal }), messageLine);
  },
};
