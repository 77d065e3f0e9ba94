/** A message in an HTTP request to the simulated carrier. */
export interface HttpMessage {
  to: string;
  from: string;
  text: string;
  /** User data header in hex of a part; '' for a whole message. */
  udh: string;
  /** Customer's own reference; '' without one. */
  reference: string;
  /** Address for the receipt; '' for a customer who asks for receipts. */
  callback: string;
}

/** Fields of a request: of the query, the form or the JSON body, whatever the dialect uses. */
export interface HttpFields {
  query: URLSearchParams;
  form: URLSearchParams;
  json: unknown;
  authorization: string;
  /** Query as it was written, for octets that are no text. */
  search: string;
}

/** Answer to one message: its status, and the carrier's ID if it was accepted. */
export interface HttpVerdict {
  message: HttpMessage;
  status: number;
  id: string;
}

/** A receipt or reply for a customer's address. */
export interface HttpCall {
  url: string;
  method: 'GET' | 'POST';
  type: string;
  body: string;
}

export interface HttpReceipt {
  id: string;
  message: HttpMessage;
  /** Word of SMPP, such as DELIVRD. */
  state: string;
  error: string;
}

export interface HttpReply {
  id: string;
  from: string;
  to: string;
  text: string;
}

/** Answer to a request. */
export interface HttpAnswer {
  status: number;
  type?: string;
  headers?: Record<string, string>;
  body: string;
}

/** Writer and reader of one form of HTTP API. */
export interface HttpDialect {
  /** Account and password of a request. */
  login(fields: HttpFields): [user: string, password: string];
  messages(fields: HttpFields): HttpMessage[];
  refuseLogin(): HttpAnswer;
  answer(verdicts: readonly HttpVerdict[]): HttpAnswer;
  receipt(receipt: HttpReceipt): HttpCall;
  reply(url: string, reply: HttpReply): HttpCall;
}
