import { z } from 'zod';
import { id, idText, instant } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply } from '../kernel/resource.ts';

/** Maximum bytes of a document: 5 MB. */
export const SENDER_DOCUMENT_BYTES = 5 * 1024 * 1024;
/** Maximum documents of a sender ID. */
export const MOST_SENDER_DOCUMENTS = 10;
/** Kinds of documents, each with the ends that its file name may have. */
export const SENDER_DOCUMENT_TYPES = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
} as const;
export type SenderDocumentType = keyof typeof SENDER_DOCUMENT_TYPES;

/** Letter of authorization or other paper of a sender ID. */
const senderDocument = z.object({
  id,
  /** Name of the file, as it was uploaded. */
  name: z.string(),
  type: z.enum(Object.keys(SENDER_DOCUMENT_TYPES) as [SenderDocumentType, ...SenderDocumentType[]]),
  /** Bytes. */
  size: z.int(),
  created_at: instant,
  /** Person who added it; null if they are outside the caller's scope or no longer exist. */
  user_name: z.string().nullable(),
});

/** Lists the documents of a sender ID, the oldest first. */
export const listSenderDocuments = operation({
  method: 'GET',
  path: '/api/v1/sender-ids/:id/documents',
  permission: 'sender-ids-show',
  params: idParams,
  reply: z.object({ data: z.array(senderDocument) }),
  errors: ['not_found'],
});

/** Adds a document to a sender ID: a PDF, PNG or JPEG of at most 5 MB, as the field `file` of a form. */
export const addSenderDocument = operation({
  method: 'POST',
  path: '/api/v1/sender-ids/:id/documents',
  permission: 'sender-ids-edit',
  params: idParams,
  upload: true,
  reply: oneReply(senderDocument),
  status: 201,
  errors: ['not_found', 'payload_too_large'],
});

/**
 * Returns the bytes of a document as an attachment, never for display in the browser. Only people who may change sender
 * IDs, or decide about them, get it.
 */
export const getSenderDocument = operation({
  method: 'GET',
  path: '/api/v1/sender-documents/:id',
  permission: 'sender-ids-show',
  params: z.object({ id: idText }),
  reply: z.string(),
  errors: ['not_found'],
});

/** Removes a document of a draft or a rejected sender ID. Once it is submitted, its documents stay. */
export const removeSenderDocument = operation({
  method: 'DELETE',
  path: '/api/v1/sender-documents/:id',
  permission: 'sender-ids-edit',
  params: z.object({ id: idText }),
  reply: z.object({ message: z.string() }),
  errors: ['not_found', 'sender_document_kept'],
});
