/** Changes of the public API on one day. */
export interface ApiChange {
  /** Day in UTC. */
  day: string;
  /** Names of the new calls. */
  added: readonly string[];
  /** Additions to existing calls, one sentence each. */
  extended: readonly string[];
}

/**
 * Changes of the public API, the newest first; a test demands that each call is in one of them. What programs use stays:
 * api-surface.txt beside the tests has what was published.
 */
export const API_CHANGES: readonly ApiChange[] = [
  {
    day: '2026-11-30',
    added: [
      'saveContacts',
      'streamEvents',
      'moveEventGroup',
      'startVerification',
      'checkVerification',
      'resendVerification',
      'cancelVerification',
      'getVerification',
      'sampleEvents',
      'listCallbacks',
      'addCallback',
      'removeCallback',
    ],
    extended: [
      'The list of events takes `since`, `share` and `group`.',
      'Events of the types `link.clicked` and `journey.step` exist, and `verification.approved`, `verification.failed` and `verification.expired`.',
      'Keys have the scopes `callbacks:read` and `callbacks:write`.',
    ],
  },
  {
    day: '2026-11-29',
    added: [
      'listContacts',
      'getContact',
      'saveContact',
      'deleteContact',
      'listContactFields',
      'addConversion',
      'listSegments',
      'getSegment',
      'createSegment',
      'changeSegment',
      'deleteSegment',
      'countSegmentContacts',
      'listJourneys',
      'getJourney',
      'enterJourney',
    ],
    extended: [],
  },
  {
    day: '2026-11-28',
    added: ['listInvoices', 'getInvoice', 'getInvoicePdf', 'getInvoiceXml', 'listTopUps', 'getTopUp'],
    extended: ['Events of the types `payment.received` and `invoice.issued` exist.'],
  },
  {
    day: '2026-11-23',
    added: [
      'listConversations',
      'getConversation',
      'listConversationMessages',
      'updateConversation',
      'listConsents',
      'addConsent',
    ],
    extended: [],
  },
  {
    day: '2026-11-22',
    added: [
      'sendMessage',
      'estimateMessage',
      'getMessage',
      'listMessages',
      'cancelMessage',
      'sendBatch',
      'getBatch',
      'cancelBatch',
      'getBalance',
      'listInbound',
      'listEvents',
    ],
    extended: [],
  },
];
