import { text as readAll } from 'node:stream/consumers';
import type { SendMessageRequest } from '../types.ts';
import { COMMON, type Command, print, read, UsageError } from './command.ts';

/** Options for sending, of one message or of a file. */
export const SENDING = {
  from: { value: 'SENDER', help: 'One of your sender IDs' },
  text: { value: 'TEXT', help: 'Text of the message; - reads it from standard input' },
  class: { value: 'CLASS', help: 'otp, transactional or bulk' },
  encoding: { value: 'NAME', help: 'auto, gsm or ucs2' },
  flash: { help: 'Show it immediately; the phone does not keep it' },
  at: { value: 'TIME', help: 'Earliest time to send, such as 2030-01-31T08:00:00Z' },
  validity: { value: 'MINUTES', help: 'Minutes after which it is not delivered any more' },
  'callback-url': { value: 'URL', help: 'Address that receives the outcome, besides your endpoints' },
  tag: { value: 'WORD', help: 'Your own label; may be repeated', multiple: true },
} as const;

type Sending = Pick<
  SendMessageRequest,
  'class' | 'encoding' | 'flash' | 'send_at' | 'validity' | 'callback_url' | 'tags'
> & { from: string };

/** Returns the fields that the options of SENDING set, except the text. Throws UsageError. */
export function sendingOf({ need, text, texts, has }: ReturnType<typeof read>): Sending {
  const at = text('at');
  if (at !== undefined && Number.isNaN(Date.parse(at)))
    throw new UsageError(`--at must be a time such as 2030-01-31T08:00:00Z, not ${JSON.stringify(at)}.`);
  const validity = text('validity');
  if (validity !== undefined && !/^\d+$/.test(validity)) throw new UsageError('--validity must be whole minutes.');
  return {
    from: need('from'),
    class: text('class') as Sending['class'],
    encoding: text('encoding') as Sending['encoding'],
    flash: has('flash') || undefined,
    send_at: at && new Date(at).toISOString(),
    validity: validity === undefined ? undefined : Number(validity),
    callback_url: text('callback-url'),
    tags: texts('tag').length > 0 ? texts('tag') : undefined,
  };
}

const options = {
  ...SENDING,
  to: { value: 'NUMBER', help: 'Phone number in international format' },
  ref: { value: 'NAME', help: 'Your own reference' },
  key: { value: 'NAME', help: 'Idempotency key: the same key never sends twice' },
  estimate: { help: 'Show parts and price without sending' },
  ...COMMON,
};

export const send: Command = {
  summary: 'Send a message',
  usage: '--from SENDER --to NUMBER --text TEXT [options]',
  options,
  notes:
    'The message is sent once, also if the command has to retry. The answer comes when it is stored; follow it with heliograph status or tail.',
  async run(args, signal) {
    const call = read(args, options);
    const { need, text, has } = call;
    if (call.positionals.length > 0)
      throw new UsageError(`Unknown argument ${JSON.stringify(call.positionals[0])}. Use --to and --text.`);
    const to = need('to');
    const words = need('text') === '-' ? (await readAll(process.stdin)).trimEnd() : need('text');
    const sending = sendingOf(call);
    if (has('estimate')) {
      const { from, class: of, encoding, flash } = sending;
      const estimate = await call
        .client()
        .estimate({ to: [to], text: words, from, class: of, encoding, flash }, { signal });
      const [refused] = estimate.rejected;
      if (has('json')) print(JSON.stringify(estimate));
      else if (refused) print(`${refused.to} is refused: ${refused.detail}`);
      else print(`${estimate.parts} part(s) of ${estimate.encoding}, ${estimate.price} ${estimate.currency}`);
      return;
    }
    const key = text('key');
    const message = await call
      .client()
      .send(
        { to, text: words, ...sending, client_ref: text('ref') },
        { signal, ...(key !== undefined && { idempotencyKey: key }) },
      );
    if (has('json')) print(JSON.stringify(message));
    else print(`${message.id} ${message.state}: ${message.parts} part(s), ${message.price} ${message.currency}`);
  },
};
