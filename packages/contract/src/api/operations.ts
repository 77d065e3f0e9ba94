import type { PublicOperation } from '../kernel/public-operation.ts';
import { getBalance, listInbound } from './account.ts';
import { cancelBatch, getBatch, sendBatch } from './batch.ts';
import { addCallback, listCallbacks, removeCallback, sampleEvents } from './callback-address.ts';
import { addConsent, listConsents } from './consent.ts';
import { deleteContact, getContact, listContactFields, listContacts, saveContact, saveContacts } from './contact.ts';
import { getConversation, listConversationMessages, listConversations, updateConversation } from './conversation.ts';
import { addConversion } from './conversion.ts';
import { listEvents, moveEventGroup, streamEvents } from './event-feed.ts';
import { getInvoicePdf, getInvoiceXml, getIssuedInvoice, listIssuedInvoices } from './invoice.ts';
import { enterJourney, getJourney, listJourneys } from './journey.ts';
import { cancelMessage, estimateMessage, getMessage, listMessages, sendMessage } from './message.ts';
import {
  changeSegment,
  countSegmentContacts,
  createSegment,
  deleteSegment,
  getSegment,
  listSegments,
} from './segment.ts';
import { getPaidTopUp, listPaidTopUps } from './top-up.ts';
import {
  cancelVerification,
  checkVerification,
  getVerification,
  resendVerification,
  startVerification,
} from './verification.ts';

/** All calls of the public API, in the order of its reference. */
export const PUBLIC_OPERATIONS: readonly PublicOperation[] = [
  sendMessage,
  estimateMessage,
  getMessage,
  listMessages,
  cancelMessage,
  sendBatch,
  getBatch,
  cancelBatch,
  startVerification,
  checkVerification,
  resendVerification,
  cancelVerification,
  getVerification,
  getBalance,
  listIssuedInvoices,
  getIssuedInvoice,
  getInvoicePdf,
  getInvoiceXml,
  listPaidTopUps,
  getPaidTopUp,
  listInbound,
  listConversations,
  getConversation,
  listConversationMessages,
  updateConversation,
  listConsents,
  addConsent,
  listContacts,
  getContact,
  saveContact,
  saveContacts,
  deleteContact,
  listContactFields,
  addConversion,
  listSegments,
  getSegment,
  createSegment,
  changeSegment,
  deleteSegment,
  countSegmentContacts,
  listJourneys,
  getJourney,
  enterJourney,
  listEvents,
  streamEvents,
  moveEventGroup,
  sampleEvents,
  listCallbacks,
  addCallback,
  removeCallback,
];
