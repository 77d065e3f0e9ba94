import type { Message } from '../heliograph.ts';
import { COMMON, type Command, print, read, UsageError } from './command.ts';

const options = {
  batch: { help: 'The id is that of a batch' },
  ref: { value: 'NAME', help: 'Your own name, in the place of an id' },
  ...COMMON,
};

const line = ({ id, to, state, error_code, price, currency, done_at }: Message) =>
  [id, to, state, error_code, `${price} ${currency}`, done_at].filter((each) => each !== null).join('  ');

export const status: Command = {
  summary: 'Tell what became of a message or a batch',
  usage: 'ID | --batch ID | --ref NAME',
  options,
  async run(args, signal) {
    const { positionals, text, has, client } = read(args, options);
    const ref = text('ref');
    const [id, more] = positionals;
    if ((id === undefined) === (ref === undefined) || more !== undefined)
      throw new UsageError('Name one message: its id, or --ref and your own name for it.');
    const show = (message: Message) => print(has('json') ? JSON.stringify(message) : line(message));
    if (id === undefined) {
      for await (const message of client().find({ client_ref: ref! }, { signal })) show(message);
    } else if (has('batch')) {
      const batch = await client().getBatch(id, { signal });
      if (has('json')) return print(JSON.stringify(batch));
      const states = Object.entries(batch.states).map(([state, messages]) => `${messages} ${state}`);
      print(
        `${batch.id}  ${batch.accepted} of ${batch.total} accepted  ${batch.price} ${batch.currency}  ${states.join(', ')}`,
      );
    } else show(await client().get(id, { signal }));
  },
};
