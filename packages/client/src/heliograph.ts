import { ApiError } from './errors.ts';
import { type StreamedEvent, type StreamOptions, streamEvents } from './event-stream.ts';
import type { ContactFilter, ConversationFilter, InvoiceFilter, MessageFilter, TopUpFilter } from './filters.ts';
import { type CallOptions, type ClientOptions, Http } from './http.ts';
import { type FollowOptions, type Page, Pages, type ReadOptions } from './pages.ts';
import type {
  AddConsentReply,
  AddConsentRequest,
  AddConversionReply,
  AddConversionRequest,
  CountSegmentContactsReply,
  CreateSegmentRequest,
  EnterJourneyReply,
  EnterJourneyRequest,
  EstimateMessageReply,
  EstimateMessageRequest,
  GetBalanceReply,
  GetBatchReply,
  GetContactReply,
  GetConversationReply,
  GetInvoiceReply,
  GetJourneyReply,
  GetMessageReply,
  GetSegmentReply,
  GetTopUpReply,
  ListConsentsReply,
  ListConversationMessagesReply,
  ListEventsReply,
  ListInboundReply,
  ListInvoicesReply,
  ListTopUpsReply,
  MoveEventGroupRequest,
  SaveContactRequest,
  SaveContactsReply,
  SaveContactsRequest,
  SendBatchReply,
  SendBatchRequest,
  SendMessageReply,
  SendMessageRequest,
  UpdateConversationRequest,
} from './types.ts';
import { Verify } from './verify.ts';

/** A sent message and its state. */
export type Message = GetMessageReply;
/** A message from a phone. */
export type InboundMessage = ListInboundReply['data'][number];
/** Conversation with a phone. */
export type Conversation = GetConversationReply;
/** Message of a conversation. */
export type ConversationMessage = ListConversationMessagesReply['data'][number];
/** An invoice, credit note or receipt that you received. */
export type Invoice = ListInvoicesReply['data'][number];
/** A top-up of one of your accounts. */
export type TopUp = ListTopUpsReply['data'][number];
/** A person of your corporation. */
export type Contact = GetContactReply;
export type Segment = GetSegmentReply;
export type Journey = GetJourneyReply;
/** An event of the feed; `type` names the kind of its `data`. */
export type FeedEvent = ListEventsReply['data'][number];

/** Options for sending. */
export interface SendOptions extends CallOptions {
  /** Name of this request that stays the same when the program restarts. Without it, each call gets a new name. */
  idempotencyKey?: string;
}

/** The API of a Heliograph platform. Every call tries again by itself if that is safe and can help. */
export class Heliograph {
  readonly #http: Http;
  /** Verifications of phone numbers. */
  readonly verify: Verify;

  constructor(options: ClientOptions) {
    this.#http = new Http(options);
    this.verify = new Verify(this.#http);
  }

  /** Sends a message. When this resolves, the message is stored and its price is reserved. */
  send(message: SendMessageRequest, options: SendOptions = {}): Promise<SendMessageReply> {
    return this.#http.call({ method: 'POST', path: '/v1/messages', body: message, ...withKey(options) });
  }

  /** Sends to up to 10,000 recipients. The answer names the refused ones. */
  sendBatch(batch: SendBatchRequest, options: SendOptions = {}): Promise<SendBatchReply> {
    return this.#http.call({ method: 'POST', path: '/v1/batches', body: batch, ...withKey(options) });
  }

  /** Counts parts and price without sending. */
  estimate(message: EstimateMessageRequest, options: CallOptions = {}): Promise<EstimateMessageReply> {
    return this.#http.call({ method: 'POST', path: '/v1/messages/estimate', body: message, ...options });
  }

  /** Returns a message in its present state. */
  get(id: string, options: CallOptions = {}): Promise<Message> {
    return this.#http.call({ method: 'GET', path: `/v1/messages/${encodeURIComponent(id)}`, ...options });
  }

  /** Returns a batch, with the number of its messages in each state. */
  getBatch(id: string, options: CallOptions = {}): Promise<GetBatchReply> {
    return this.#http.call({ method: 'GET', path: `/v1/batches/${encodeURIComponent(id)}`, ...options });
  }

  /** Cancels the messages of a batch that have not left. A batch cancelled before is returned unchanged. */
  async cancelBatch(id: string, options: CallOptions = {}): Promise<GetBatchReply> {
    try {
      return await this.#http.call({ method: 'DELETE', path: `/v1/batches/${encodeURIComponent(id)}`, ...options });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'batch_has_left') throw error;
      // An earlier try may have cancelled it, and its answer was lost.
      const batch = await this.getBatch(id, options).catch(() => undefined);
      if (!batch?.states.cancelled) throw error;
      return batch;
    }
  }

  /** Returns the messages of a reference, newest first, or those of a batch. */
  find(filter: MessageFilter, options: ReadOptions = {}): Pages<Message> {
    return this.#list('/v1/messages', { ...filter }, { ...options });
  }

  /** Cancels a scheduled message. A message cancelled before is returned unchanged. */
  async cancel(id: string, options: CallOptions = {}): Promise<Message> {
    try {
      return await this.#http.call({ method: 'DELETE', path: `/v1/messages/${encodeURIComponent(id)}`, ...options });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'message_has_left') throw error;
      // An earlier try may have cancelled it, and its answer was lost.
      const message = await this.get(id, options).catch(() => undefined);
      if (message?.state !== 'cancelled') throw error;
      return message;
    }
  }

  /** Returns the credit of the billing account. */
  balance(options: CallOptions = {}): Promise<GetBalanceReply> {
    return this.#http.call({ method: 'GET', path: '/v1/balance', ...options });
  }

  /** Returns the invoices, credit notes and receipts that you received, newest first. */
  invoices(filter: InvoiceFilter = {}, options: ReadOptions = {}): Pages<Invoice> {
    return this.#list('/v1/invoices', { ...filter }, { ...options });
  }

  /** Returns a document with its taxes, payments and credit notes. */
  invoice(id: string, options: CallOptions = {}): Promise<GetInvoiceReply> {
    return this.#http.call({ method: 'GET', path: `/v1/invoices/${encodeURIComponent(id)}`, ...options });
  }

  /** Returns the bytes of a document's file. */
  invoiceFile(id: string, kind: 'pdf' | 'xml', options: CallOptions = {}): Promise<Uint8Array> {
    const path = `/v1/invoices/${encodeURIComponent(id)}/${kind}`;
    return this.#http.call({ method: 'GET', path, bytes: true, ...options });
  }

  /** Returns the top-ups of your accounts, newest first. */
  topUps(filter: TopUpFilter = {}, options: ReadOptions = {}): Pages<TopUp> {
    return this.#list('/v1/top-ups', { ...filter }, { ...options });
  }

  /** Returns a top-up with its refunds and chargebacks. */
  topUp(id: string, options: CallOptions = {}): Promise<GetTopUpReply> {
    return this.#http.call({ method: 'GET', path: `/v1/top-ups/${encodeURIComponent(id)}`, ...options });
  }

  /** Returns messages from phones, in the order in which they arrived. */
  inbound(options: FollowOptions = {}): Pages<InboundMessage> {
    return this.#list('/v1/inbound', {}, options);
  }

  /** Returns the open or closed conversations with phones, the latest first. */
  conversations(filter: ConversationFilter = {}, options: ReadOptions = {}): Pages<Conversation> {
    return this.#list('/v1/conversations', { ...filter }, { ...options });
  }

  /** Returns a conversation. */
  conversation(id: string, options: CallOptions = {}): Promise<Conversation> {
    return this.#http.call({ method: 'GET', path: `/v1/conversations/${encodeURIComponent(id)}`, ...options });
  }

  /** Returns the messages of a conversation in both directions, the latest first. */
  conversationMessages(id: string, options: ReadOptions = {}): Pages<ConversationMessage> {
    return this.#list(`/v1/conversations/${encodeURIComponent(id)}/messages`, {}, { ...options });
  }

  /** Assigns, closes or reopens a conversation. */
  updateConversation(id: string, changes: UpdateConversationRequest, options: CallOptions = {}): Promise<Conversation> {
    const path = `/v1/conversations/${encodeURIComponent(id)}`;
    return this.#http.call({ method: 'PATCH', path, body: changes, ...options });
  }

  /** Returns the consents and opt-outs of a number, the latest first. */
  async consents(number: string, options: CallOptions = {}): Promise<AddConsentReply[]> {
    const path = `/v1/consents?number=${encodeURIComponent(number)}`;
    return (await this.#http.call<ListConsentsReply>({ method: 'GET', path, ...options })).data;
  }

  /** Records that a person opted in or out, or was asked. */
  addConsent(event: AddConsentRequest, options: CallOptions = {}): Promise<AddConsentReply> {
    return this.#http.call({ method: 'POST', path: '/v1/consents', body: event, ...options });
  }

  /** Reports what a person did after a message, such as a purchase. A repeated reference changes nothing. */
  addConversion(conversion: AddConversionRequest, options: CallOptions = {}): Promise<AddConversionReply> {
    return this.#http.call({ method: 'POST', path: '/v1/conversions', body: conversion, ...options });
  }

  /** Returns contacts, the newest first: all, or those with a number or a tag. */
  contacts(filter: ContactFilter = {}, options: ReadOptions = {}): Pages<Contact> {
    return this.#list('/v1/contacts', { ...filter }, { ...options });
  }

  /** Adds a contact, or changes the one with the number. What is not given stays as it is. */
  saveContact(contact: SaveContactRequest, options: CallOptions = {}): Promise<Contact> {
    return this.#http.call({ method: 'POST', path: '/v1/contacts', body: contact, ...options });
  }

  /** Adds or changes up to 200 contacts, each by itself. Answers which were saved, and why others were not. */
  saveContacts(contacts: SaveContactsRequest['contacts'], options: CallOptions = {}): Promise<SaveContactsReply> {
    return this.#http.call({ method: 'POST', path: '/v1/contacts/batch', body: { contacts }, ...options });
  }

  /** Deletes a contact. Messages and consents of the person stay. */
  async deleteContact(id: string, options: CallOptions = {}): Promise<void> {
    await this.#http.call({ method: 'DELETE', path: `/v1/contacts/${encodeURIComponent(id)}`, ...options });
  }

  /** Returns segments, the newest first. */
  segments(options: ReadOptions = {}): Pages<Segment> {
    return this.#list('/v1/segments', {}, { ...options });
  }

  /** Adds a segment. */
  createSegment(segment: CreateSegmentRequest, options: CallOptions = {}): Promise<Segment> {
    return this.#http.call({ method: 'POST', path: '/v1/segments', body: segment, ...options });
  }

  /** Returns the number of contacts that a segment finds now. */
  async countSegment(id: string, options: CallOptions = {}): Promise<number> {
    const path = `/v1/segments/${encodeURIComponent(id)}/count`;
    return (await this.#http.call<CountSegmentContactsReply>({ method: 'GET', path, ...options })).contacts;
  }

  /** Returns journeys, the newest first. */
  journeys(options: ReadOptions = {}): Pages<Journey> {
    return this.#list('/v1/journeys', {}, { ...options });
  }

  /** Lets a person enter a journey. Returns false if they are in it already, or may not enter again yet. */
  async enterJourney(id: string, person: EnterJourneyRequest, options: CallOptions = {}): Promise<boolean> {
    const path = `/v1/journeys/${encodeURIComponent(id)}/people`;
    return (await this.#http.call<EnterJourneyReply>({ method: 'POST', path, body: person, ...options })).entered;
  }

  /** Returns the events, each once; of some `types`, or of all. */
  events({ types, ...options }: FollowOptions & { types?: readonly FeedEvent['type'][] } = {}): Pages<FeedEvent> {
    return this.#list('/v1/events', { types: types?.join(',') }, options);
  }

  /** Returns the events as they happen, each with the cursor after it. Connects again when the connection breaks. */
  stream(options: StreamOptions = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    return streamEvents(this.#http, options);
  }

  /** Stores how far a group of programs has processed the events; a stream with this group begins after it. */
  async moveGroup(group: string, place: MoveEventGroupRequest, options: CallOptions = {}): Promise<void> {
    await this.#http.call({
      method: 'POST',
      path: `/v1/events/groups/${encodeURIComponent(group)}`,
      body: place,
      ...options,
    });
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

/** Returns the options with one idempotency key for all tries of a call. */
const withKey = (options: SendOptions): SendOptions => ({ idempotencyKey: crypto.randomUUID(), ...options });
