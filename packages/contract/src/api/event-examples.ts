const at = (time: string): string => `2026-11-30T${time}Z`;

const event = {
  id: '90211',
  type: 'message.delivered',
  timestamp: at('08:30:03'),
  data: {
    id: '5734912000000',
    state: 'delivered',
    error_code: null,
    from: 'ACME',
    to: '639170000001',
    parts: 1,
    price: '0.600',
    currency: 'PHP',
    client_ref: 'login-42',
    tags: [],
    batch_id: null,
    campaign_id: null,
    created_at: at('08:30:00'),
    parameters: {},
    done_at: at('08:30:03'),
  },
};
const callback = {
  id: '77',
  url: 'https://example.com/events',
  types: ['message.delivered', 'message.received'],
  description: null,
  status: 'active',
  created_at: at('08:30:00'),
};

/** Examples of answers about events and callbacks, by the names of their calls. */
export const EVENT_EXAMPLES = {
  listEvents: {
    data: [event],
    next_cursor: 'eyJzZWVuIjoiODEyOjgxMjoifQ',
    has_more: false,
  },
  sampleEvents: { data: [event] },
  listCallbacks: { data: [callback] },
  addCallback: { ...callback, secret: 'whsec_VGhlIGtleSBvZiBhbiBleGFtcGxlLCAzMiBvY3RldHM=' },
  removeCallback: { id: callback.id },
  moveEventGroup: { group: 'billing', share: '1/1', cursor: 'eyJzZWVuIjoiODEyOjgxMjoifQ', stored_at: at('08:30:04') },
};
