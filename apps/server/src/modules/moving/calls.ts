import type { Problem } from '@heliograph/contract/kernel/errors';
import type { BodyInput, Operation, ParamsInput, QueryInput, ReplyOf } from '@heliograph/contract/kernel/operation';

/** Request to the API in this process, and its answer. */
export type Inject = (request: {
  method: Operation['method'];
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
}) => Promise<{ statusCode: number; body: string }>;

interface Input<O extends Operation> {
  params?: ParamsInput<O>;
  query?: QueryInput<O>;
  body?: BodyInput<O>;
  /** Version of the record that the change is based on. */
  version?: string | undefined;
  file?: { name: string; bytes: Buffer };
}

/** Call that the API refused, with its reasons by field. */
export class CallRefused extends Error {
  readonly code: string;
  readonly fields: Readonly<Record<string, readonly string[]>>;

  constructor(message: string, code: string, fields: Readonly<Record<string, readonly string[]>> = {}) {
    super(message);
    this.code = code;
    this.fields = fields;
  }
}

/** Calls of the API in the name of one person. */
export interface Calls {
  /** Makes a call; throws `CallRefused` with the sentence that the console would show. */
  call<O extends Operation>(operation: O, input?: Input<O>): Promise<ReplyOf<O>>;
}

/** Makes calls of the API through `inject`, with a bearer token. */
export function callsThrough(inject: Inject, bearer: string): Calls {
  return {
    async call(operation, input = {}) {
      const { params, query, body, version, file } = input as Input<Operation>;
      const path = operation.path.replace(/:(\w+)/g, (_, name: string) =>
        encodeURIComponent(String((params as Record<string, unknown>)[name])),
      );
      const given = Object.entries((query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined);
      const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
      const headers: Record<string, string> = { authorization: `Bearer ${bearer}` };
      if (version !== undefined) headers['if-match'] = `"${version}"`;
      let payload: string | Buffer | undefined;
      if (file) {
        const form = new FormData();
        form.set('file', new Blob([new Uint8Array(file.bytes)]), file.name);
        const packed = new Response(form);
        headers['content-type'] = packed.headers.get('content-type')!;
        payload = Buffer.from(await packed.arrayBuffer());
      } else if (operation.method !== 'GET' && operation.method !== 'DELETE') {
        headers['content-type'] = 'application/json';
        payload = JSON.stringify(body ?? {});
      }
      const url = search === '' ? path : `${path}?${search}`;
      const answer = await inject({
        method: operation.method,
        url,
        headers,
        ...(payload !== undefined && { payload }),
      });
      if (answer.statusCode < 300) return JSON.parse(answer.body) as ReplyOf<typeof operation>;
      throw refusal(answer.body);
    },
  };
}

function refusal(body: string): CallRefused {
  const { message, code, errors } = JSON.parse(body) as Problem;
  return new CallRefused(message, code, errors);
}
