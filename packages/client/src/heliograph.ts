import { ApiError } from './errors.ts';
import { type CallOptions, type ClientOptions, Http } from './http.ts';
import { type FollowOptions, type Page, Pages, type ReadOptions } from './pages.ts';
import type {
  EstimateMessageReply,
  EstimateMessageRequest,
  GetBalanceReply,
  GetBatchReply,
  GetMessageReply,
  ListEventsReply,
  ListInboundReply,
  SendBatchReply,
  SendBatchRequest,
  SendMessageReply,
  SendMessageRequest,
} from './types.ts';

/** What was sent, and what became of it. */
export type Message = GetMessageReply;
/** A message from a phone. */
export type InboundMessage = ListInboundReply['data'][number];
/** An event of the feed; `type` says what its `data` is. */
export type FeedEvent = ListEventsReply['data'][number];

/** How something is sent. */
export interface SendOptions extends CallOptions {
  /** A name for this request that outlives the program; left out, a new one for each call. */
  idempotencyKey?: string;
}

/** Which messages are looked for. */
export type MessageFilter = { client_ref: string } | { batch_id: string };

/** The API of a Heliograph platform. Every call tries again by itself where that is safe and can help. */
export class Heliograph {
  readonly #http: Http;

  constructor(options: ClientOptions) {
    this.#http = new Http(options);
  }

  /** Sends a message. Once this resolves it is stored and its price reserved. */
  send(message: SendMessageRequest, options: SendOptions = {}): Promise<SendMessageReply> {
    return this.#http.call({ method: 'POST', path: '/v1/messages', body: message, ...withKey(options) });
  }

  /** Sends to up to 10,000 recipients; those that are refused are named in the answer. */
  sendBatch(batch: SendBatchRequest, options: SendOptions = {}): Promise<SendBatchReply> {
    return this.#http.call({ method: 'POST', path: '/v1/batches', body: batch, ...withKey(options) });
  }

  /** Counts parts and price without sending. */
  estimate(message: EstimateMessageRequest, options: CallOptions = {}): Promise<EstimateMessageReply> {
    return this.#http.call({ method: 'POST', path: '/v1/messages/estimate', body: message, ...options });
  }

  /** A message as it is now. */
  get(id: string, options: CallOptions = {}): Promise<Message> {
    return this.#http.call({ method: 'GET', path: `/v1/messages/${encodeURIComponent(id)}`, ...options });
  }

  /** A batch, and how many of its messages are in which state. */
  getBatch(id: string, options: CallOptions = {}): Promise<GetBatchReply> {
    return this.#http.call({ method: 'GET', path: `/v1/batches/${encodeURIComponent(id)}`, ...options });
  }

  /** Calls off what of a batch has not left. One that was called off before is answered as it is. */
  async cancelBatch(id: string, options: CallOptions = {}): Promise<GetBatchReply> {
    try {
      return await this.#http.call({ method: 'DELETE', path: `/v1/batches/${encodeURIComponent(id)}`, ...options });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'batch_has_left') throw error;
      // The answer to the try before may have been lost.
      const batch = await this.getBatch(id, options).catch(() => undefined);
      if (!batch?.states.cancelled) throw error;
      return batch;
    }
  }

  /** The messages of a reference, the newest first, or those of a batch. */
  find(filter: MessageFilter, options: ReadOptions = {}): Pages<Message> {
    return this.#list('/v1/messages', { ...filter }, { ...options });
  }

  /** Calls off a scheduled message. One that was called off before is answered as it is. */
  async cancel(id: string, options: CallOptions = {}): Promise<Message> {
    try {
      return await this.#http.call({ method: 'DELETE', path: `/v1/messages/${encodeURIComponent(id)}`, ...options });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'message_has_left') throw error;
      // The answer to the try before may have been lost.
      const message = await this.get(id, options).catch(() => undefined);
      if (message?.state !== 'cancelled') throw error;
      return message;
    }
  }

  /** The credit of the billing account. */
  balance(options: CallOptions = {}): Promise<GetBalanceReply> {
    return this.#http.call({ method: 'GET', path: '/v1/balance', ...options });
  }

  /** Messages from phones, in the order in which they came. */
  inbound(options: FollowOptions = {}): Pages<InboundMessage> {
    return this.#list('/v1/inbound', {}, options);
  }

  /** What happened, each event once; of some `types`, or of all. */
  events({ types, ...options }: FollowOptions & { types?: readonly FeedEvent['type'][] } = {}): Pages<FeedEvent> {
    return this.#list('/v1/events', { types: types?.join(',') }, options);
  }

  #list<Item>(path: string, filter: Record<string, string | undefined>, options: FollowOptions): Pages<Item> {
    const { limit, signal } = options;
    return new Pages(
      (cursor) =>
        this.#http.call<Page<Item>>({
          method: 'GET',
          path,
          query: { ...filter, limit, cursor },
          ...(signal && { signal }),
        }),
      options,
    );
  }
}

/** One name for all tries of a call. */
const withKey = (options: SendOptions): SendOptions => ({ idempotencyKey: crypto.randomUUID(), ...options });
