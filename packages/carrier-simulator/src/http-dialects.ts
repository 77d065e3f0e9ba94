import { STATUS } from '@heliograph/smpp';
import type { HttpAnswer, HttpCall, HttpDialect } from './http-dialect.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const text = (params: URLSearchParams, name: string): string => params.get(name) ?? '';
const isThrottled = (status: number): boolean => status === STATUS.RTHROTTLED || status === STATUS.RMSGQFUL;
const json = (status: number, body: unknown, headers?: Record<string, string>): HttpAnswer => ({
  status,
  type: JSON_TYPE,
  body: JSON.stringify(body),
  ...(headers && { headers }),
});
const plain = (status: number, body: string): HttpAnswer => ({ status, body });
const RETRY = { 'retry-after': '1' };

const withQuery = (address: string, values: Record<string, string>): HttpCall => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return { url: url.href, method: 'GET', type: '', body: '' };
};
const formCall = (url: string, values: Record<string, string>): HttpCall => ({
  url,
  method: 'POST',
  type: FORM_TYPE,
  body: new URLSearchParams(values).toString(),
});
const jsonCall = (url: string, value: unknown): HttpCall => ({
  url,
  method: 'POST',
  type: JSON_TYPE,
  body: JSON.stringify(value),
});

const basic = (authorization: string): [string, string] => {
  const [user = '', ...rest] = Buffer.from(authorization.replace(/^Basic /i, ''), 'base64')
    .toString('utf8')
    .split(':');
  return [user, rest.join(':')];
};

/** Returns percent-encoded octets in hex. */
const octetsOf = (encoded: string): string =>
  encoded.replace(
    /%([0-9a-f]{2})|[^%]/gi,
    (each, hex: string | undefined) => hex ?? each.charCodeAt(0).toString(16).padStart(2, '0'),
  );

const KANNEL_STATES: Record<string, string> = { DELIVRD: '1', EXPIRED: '2', UNDELIV: '2', DELETED: '2', REJECTD: '16' };

const kannel: HttpDialect = {
  login: ({ query }) => [text(query, 'username'), text(query, 'password')],
  messages: ({ query, search }) =>
    text(query, 'to')
      .split(/[\s,]+/)
      .filter((to) => to !== '')
      .map((to) => ({
        to,
        from: text(query, 'from'),
        text: text(query, 'text'),
        udh: octetsOf(/[?&]udh=([^&]*)/.exec(search)?.[1] ?? ''),
        reference: '',
        callback: text(query, 'dlr-url'),
      })),
  refuseLogin: () => plain(403, 'Authorization failed for sendsms'),
  answer: (verdicts) => {
    const worst = verdicts.find(({ status }) => status !== STATUS.ROK)?.status ?? STATUS.ROK;
    if (worst === STATUS.ROK) return plain(202, '0: Accepted for delivery');
    return isThrottled(worst)
      ? plain(503, 'Temporal failure, try again later.')
      : plain(400, 'Not routable. Do not try again.');
  },
  receipt: ({ message, state, error }) => {
    // The customer's address is a template, which smsbox fills in.
    const url = message.callback
      .replaceAll('%d', KANNEL_STATES[state] ?? '2')
      .replaceAll('%A', encodeURIComponent(error))
      .replaceAll('%p', encodeURIComponent(message.to));
    return { url, method: 'GET', type: '', body: '' };
  },
  reply: (url, { id, from, to, text }) => withQuery(url, { id, from, to, text }),
};

const TWILIO_STATES: Record<string, string> = { DELIVRD: 'delivered', REJECTD: 'failed' };

const twilio: HttpDialect = {
  login: ({ authorization }) => basic(authorization),
  messages: ({ form }) => [
    {
      to: text(form, 'To').replace('+', ''),
      from: text(form, 'From').replace('+', ''),
      text: text(form, 'Body'),
      udh: '',
      reference: '',
      callback: text(form, 'StatusCallback'),
    },
  ],
  refuseLogin: () => json(401, { code: 20003, message: 'Authenticate', status: 401 }),
  answer: ([verdict]) => {
    if (!verdict) return json(400, { code: 21604, message: "A 'To' phone number is required." });
    if (verdict.status === STATUS.ROK) return json(201, { sid: verdict.id, status: 'queued', error_code: null });
    if (isThrottled(verdict.status))
      return json(429, { code: 20429, message: 'Too Many Requests', status: 429 }, RETRY);
    return json(400, { code: 21211, message: "Invalid 'To' Phone Number", status: 400 });
  },
  receipt: ({ id, message, state, error }) =>
    formCall(message.callback, {
      MessageSid: id,
      MessageStatus: TWILIO_STATES[state] ?? 'undelivered',
      To: `+${message.to}`,
      From: message.from,
      ...(state !== 'DELIVRD' && { ErrorCode: error === '000' ? '30003' : error }),
    }),
  reply: (url, { id, from, to, text }) =>
    formCall(url, { MessageSid: id, From: `+${from}`, To: to, Body: text, NumMedia: '0' }),
};

const INFOBIP_STATES: Record<string, [number, string]> = {
  DELIVRD: [3, 'DELIVERED'],
  EXPIRED: [4, 'EXPIRED'],
  REJECTD: [5, 'REJECTED'],
};

interface InfobipMessage {
  destinations?: { to?: string; messageId?: string }[];
  from?: string;
  text?: string;
  notifyUrl?: string;
}

const infobip: HttpDialect = {
  login: ({ authorization }) => ['infobip', authorization.replace(/^App /i, '')],
  messages: ({ json: body }) =>
    ((body as { messages?: InfobipMessage[] } | null)?.messages ?? []).flatMap(
      ({ destinations = [], from = '', text: said = '', notifyUrl = '' }) =>
        destinations.map(({ to = '', messageId = '' }) => ({
          to,
          from,
          text: said,
          udh: '',
          reference: messageId,
          callback: notifyUrl,
        })),
    ),
  refuseLogin: () =>
    json(401, { requestError: { serviceException: { messageId: 'UNAUTHORIZED', text: 'Invalid login details' } } }),
  answer: (verdicts) => {
    if (verdicts.length > 0 && verdicts.every(({ status }) => isThrottled(status)))
      return json(429, { requestError: { serviceException: { messageId: 'TOO_MANY_REQUESTS' } } }, RETRY);
    return json(200, {
      messages: verdicts.map(({ message, status, id }) => ({
        to: message.to,
        messageId: id,
        status:
          status === STATUS.ROK
            ? { groupId: 1, groupName: 'PENDING', id: 26, name: 'PENDING_ACCEPTED' }
            : isThrottled(status)
              ? { groupId: 5, groupName: 'REJECTED', id: 17, name: 'REJECTED_FLOODING_FILTER' }
              : { groupId: 5, groupName: 'REJECTED', id: 52, name: 'REJECTED_DESTINATION' },
      })),
    });
  },
  receipt: ({ id, message, state, error }) => {
    const [groupId, groupName] = INFOBIP_STATES[state] ?? [2, 'UNDELIVERABLE'];
    return jsonCall(message.callback, {
      results: [{ messageId: id, to: message.to, status: { groupId, groupName }, error: { id: Number(error) || 0 } }],
    });
  },
  reply: (url, { id, from, to, text }) => jsonCall(url, { results: [{ messageId: id, from, to, text }] }),
};

const VONAGE_STATES: Record<string, string> = { DELIVRD: 'delivered', EXPIRED: 'expired', REJECTD: 'rejected' };

const vonage: HttpDialect = {
  login: ({ form }) => [text(form, 'api_key'), text(form, 'api_secret')],
  messages: ({ form }) => [
    {
      to: text(form, 'to'),
      from: text(form, 'from'),
      text: text(form, 'text'),
      udh: '',
      reference: text(form, 'client-ref'),
      callback: text(form, 'callback'),
    },
  ],
  refuseLogin: () => json(200, { 'message-count': '1', messages: [{ status: '4', 'error-text': 'Bad Credentials' }] }),
  answer: (verdicts) =>
    json(200, {
      'message-count': String(verdicts.length),
      messages: verdicts.map(({ message, status, id }) =>
        status === STATUS.ROK
          ? { to: message.to, 'message-id': id, status: '0', 'client-ref': message.reference }
          : { to: message.to, status: isThrottled(status) ? '1' : '6', 'error-text': 'refused' },
      ),
    }),
  receipt: ({ id, message, state, error }) =>
    withQuery(message.callback, {
      msisdn: message.to,
      to: message.from,
      messageId: id,
      'client-ref': message.reference,
      status: VONAGE_STATES[state] ?? 'failed',
      'err-code': error === '000' && state === 'DELIVRD' ? '0' : error,
    }),
  reply: (url, { id, from, to, text }) =>
    withQuery(url, { msisdn: from, to, messageId: id, text, type: 'text', keyword: text.split(' ', 1)[0] ?? '' }),
};

const get: HttpDialect = {
  login: ({ query }) => [text(query, 'user'), text(query, 'key')],
  messages: ({ query }) => [
    {
      to: text(query, 'to'),
      from: text(query, 'from'),
      text: text(query, 'text'),
      udh: '',
      reference: text(query, 'ref'),
      callback: text(query, 'receipts'),
    },
  ],
  refuseLogin: () => plain(200, 'ERR login'),
  answer: ([verdict]) => {
    if (verdict?.status === STATUS.ROK) return plain(200, `OK ${verdict.id}`);
    return plain(200, verdict && isThrottled(verdict.status) ? 'ERR throttled' : 'ERR number');
  },
  receipt: ({ id, message, state, error }) =>
    withQuery(message.callback, { id, ref: message.reference, state, error, to: message.to }),
  reply: (url, { id, from, to, text }) => withQuery(url, { id, from, to, text }),
};

/** Forms of HTTP API that the simulator speaks, each under its own path. */
export const HTTP_DIALECTS: Readonly<Record<string, HttpDialect>> = { kannel, twilio, infobip, vonage, get };
