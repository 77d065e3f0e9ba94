/** Color of each campaign state. */
export const CAMPAIGN_COLORS: Readonly<Record<string, string>> = {
  preparing: 'blue',
  pending: 'yellow',
  scheduled: 'violet',
  running: 'brand',
  paused: 'orange',
  rejected: 'red',
  discarded: 'gray',
  completed: 'teal',
  stopped: 'gray',
  failed: 'red',
};

/** Color of each message state. */
export const MESSAGE_COLORS: Readonly<Record<string, string>> = {
  pending: 'gray',
  submitted: 'blue',
  delivered: 'teal',
  expired: 'orange',
  cancelled: 'gray',
  failed_internal: 'red',
  failed_billing: 'red',
  failed_submit: 'red',
  failed_other: 'red',
  blocked: 'red',
};

/** Color of each state of a sender ID. */
export const SENDER_COLORS: Readonly<Record<string, string>> = {
  draft: 'gray',
  submitted: 'yellow',
  approved: 'teal',
  rejected: 'red',
  suspended: 'red',
  expired: 'orange',
};

/** Color of each state of a sender ID's registration with a carrier. */
export const REGISTRATION_COLORS: Readonly<Record<string, string>> = {
  requested: 'yellow',
  registered: 'teal',
  rejected: 'red',
  ended: 'gray',
};
