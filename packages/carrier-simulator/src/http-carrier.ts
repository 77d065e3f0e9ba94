import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Carrier } from './carrier.ts';
import type { HttpDialect, HttpFields } from './http-dialect.ts';
import { HTTP_DIALECTS } from './http-dialects.ts';
import { bodyOf, HttpSession } from './http-session.ts';

/** Path before the name of a dialect. */
const PREFIX = '/carriers/';
/** Items of a page for a customer who asks. */
const PAGE = 100;

/** The simulated carrier's HTTP APIs: one for each dialect, with the same outcomes, log and handsets as SMPP. */
export class HttpCarrier {
  readonly #carrier: Carrier;
  readonly #sessions = new Map<string, HttpSession>();

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
  }

  /** Answers a request under `/carriers/<dialect>/`; false if it is none of these. */
  handle(request: IncomingMessage, response: ServerResponse, url: URL): boolean {
    const [, name = ''] = /^\/carriers\/([a-z]+)\//.exec(url.pathname) ?? [];
    const dialect = HTTP_DIALECTS[name];
    if (!url.pathname.startsWith(PREFIX) || !dialect) return false;
    this.#answer(dialect, request, response, url).catch(() => response.destroy());
    return true;
  }

  async #answer(dialect: HttpDialect, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const body = await bodyOf(request);
    if (this.#carrier.settings.silent) return;
    const fields = fieldsOf(request, url, body);
    const [user, password] = dialect.login(fields);
    const session = this.#login(dialect, user, password);
    if (!session) {
      const refusal = dialect.refuseLogin();
      response.writeHead(refusal.status, { 'content-type': refusal.type ?? 'text/plain' }).end(refusal.body);
      return;
    }
    const [, list] = /\/(receipts|replies)$/.exec(url.pathname) ?? [];
    if (list === 'receipts' || list === 'replies') {
      const page = session.poll(list, Number(url.searchParams.get('cursor') ?? 0) || 0, PAGE);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
    } else session.submit(dialect.messages(fields), response);
  }

  #login(dialect: HttpDialect, user: string, password: string): HttpSession | undefined {
    const { accounts } = this.#carrier.settings;
    if (Object.keys(accounts).length > 0 && (!Object.hasOwn(accounts, user) || accounts[user] !== password))
      return undefined;
    const present = this.#sessions.get(user);
    if (present) return present;
    const made = new HttpSession(user, dialect, this.#carrier);
    this.#sessions.set(user, made);
    this.#carrier.onBound(made);
    return made;
  }
}

function fieldsOf(request: IncomingMessage, url: URL, body: string): HttpFields {
  let json: unknown = null;
  try {
    json = JSON.parse(body);
  } catch {
    // It is a form, or nothing.
  }
  return {
    query: url.searchParams,
    form: new URLSearchParams(body),
    json,
    authorization: request.headers.authorization ?? '',
    search: url.search,
  };
}
