import { COMMON, type Command, print, read, UsageError } from './command.ts';
import { batchLine, messageLine } from './status.ts';

const options = { batch: { help: 'The id is that of a batch' }, ...COMMON };

export const cancel: Command = {
  summary: 'Call off a message or a batch',
  usage: 'ID | --batch ID',
  options,
  notes:
    'A message can be called off until its --at; of a batch all that has not left. What was reserved is given back.',
  async run(args, signal) {
    const { positionals, has, client } = read(args, options);
    const [id, more] = positionals;
    if (id === undefined || more !== undefined) throw new UsageError('Name one message or, with --batch, one batch.');
    const show = <Ended>(ended: Ended, line: (ended: Ended) => string) =>
      print(has('json') ? JSON.stringify(ended) : line(ended));
    if (has('batch')) show(await client().cancelBatch(id, { signal }), batchLine);
    else show(await client().cancel(id, { signal }), messageLine);
  },
};
