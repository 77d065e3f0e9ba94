import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';
import { bindAttempt, changedLink, ID_RULES, linkSettings, newLink } from './link-settings.ts';
import { linkTruth } from './link-truth.ts';

/** States of a link; it is also `down` if no sender process holds its lanes. */
export const LINK_STATES = ['up', 'binding', 'down', 'throttled', 'draining', 'disabled'] as const;

/** Names of the counters of segments and receipts; the period depends on the field. */
export const LINK_COUNTERS = ['submitted', 'accepted', 'throttled', 'failed', 'unanswered', 'receipts'] as const;
const count = z.int().nonnegative();
const counters = z.object({
  submitted: count,
  accepted: count,
  throttled: count,
  failed: count,
  unanswered: count,
  receipts: count,
});

/**
 * A fault of a link. `code` is our own reason (`peer_closed`), an error code of the network or of TLS (`ECONNREFUSED`),
 * or an SMPP status (`ESME_RINVPASWD`). Its sentence is `link_fault.<code>`.
 */
const fault = z.object({
  at: z.iso.datetime({ offset: true }),
  code: z.string(),
  /** Number of times in a row. */
  count: z.int().positive(),
});

const learning = z.object({
  /** Number of receipts with an id that was checked. */
  seen: count,
  /** Number of receipts that each rule matched to the response of their message. */
  as_is: count,
  hex_to_decimal: count,
  decimal_to_hex: count,
});

/** Live data of a link, reported at most every two seconds by the process that holds its lanes. */
export const linkLive = z.object({
  sessions: z.object({ bound: count, wanted: count }),
  in_flight: count,
  /** Counts of the last 60 seconds. */
  minute: counters,
  /** Counts since `counting_since`. */
  total: counters,
  counting_since: z.iso.datetime({ offset: true }),
  /** Faults, newest first, at most ten. */
  faults: z.array(fault),
  /** The carrier's last refusal of a bind, until a bind succeeds. */
  refusal: fault.nullable(),
  /** Time of the next try to bind; null while a session is bound, and if none follows. */
  next_try_at: z.iso.datetime({ offset: true }).nullish(),
  /** Progress of learning the id rule; null if the rule is set. */
  learning: learning.nullable(),
});

export const link = resource({
  name: 'links',
  row: linkSettings.extend({
    enabled: z.boolean(),
    /** Time at which the password was last entered; null for a link without one. */
    credentials_set_at: z.iso.datetime({ offset: true }).nullable(),
    state: z.enum(LINK_STATES),
    state_since: z.iso.datetime({ offset: true }).nullable(),
    /** Process that holds the lanes, as host:process:run; null for none. */
    holder: z.string().nullable(),
    learned_id_rule: z.enum(ID_RULES).exclude(['learn']).nullable(),
    learned_receipts: count.nullable(),
    learned_at: z.iso.datetime({ offset: true }).nullable(),
    live: linkLive.nullable(),
    /** Judgment on its receipts; null while none is made. */
    truth: linkTruth.nullable(),
  }),
  create: newLink,
  update: changedLink,
  filters: z.object({ state: z.enum(LINK_STATES).optional(), enabled: z.stringbool().optional() }),
  sort: ['name', 'host', 'created_at'],
  title: 'name',
  groups: {
    connection: [
      'name',
      'protocol',
      'host',
      'port',
      'system_id',
      'password',
      'system_type',
      'bind_mode',
      'for_tests',
      'enabled',
    ],
    http: ['http'],
    encryption: ['tls', 'tls_verify_name', 'tls_ca'],
    senders: ['asks_registration'],
    pace: ['binds', 'window_size', 'rate'],
    receipts: ['id_rule', 'registered_delivery', 'sniff_receipts', 'message_reference', 'receipt_words', 'test_rate'],
    texts: ['default_charset', 'long_messages', 'flash_dialect', 'validity_format'],
    numbers: ['alphanumeric_ton_npi', 'short_code_ton_npi', 'number_ton_npi', 'destination_ton_npi'],
    parameters: ['parameters'],
    rewriting: ['number_rules', 'sender_rules', 'text_rules'],
    timers: ['enquire_link_seconds', 'response_seconds', 'bind_seconds'],
  },
  conflicts: { link_name_key: 'link_already_exists' },
  unshown: { password: 'credentials_set_at' },
});

const act = (name: 'enable' | 'disable' | 'drain') =>
  operation({
    method: 'POST',
    path: `/api/v1/links/:id/${name}`,
    permission: link.permissions.edit,
    params: idParams,
    reply: oneReply(link.row),
    errors: ['not_found', 'invalid_transition'],
  });

/** Enables a link: it binds and takes messages. */
export const enableLink = act('enable');
/** Disables a link: it unbinds within seconds. For missing answers the platform then waits for receipts. */
export const disableLink = act('disable');
/** Drains a link: it takes no new messages, waits for every answer in its window, then unbinds. */
export const drainLink = act('drain');

export const BIND_STEPS = ['resolve', 'connect', 'tls', 'bind'] as const;

/** Tests settings with the carrier within five seconds. */
export const testBind = operation({
  method: 'POST',
  path: '/api/v1/links/test-bind',
  permission: link.permissions.edit,
  body: bindAttempt,
  reply: z.object({
    data: z.object({
      /** True if every step was done. */
      bound: z.boolean(),
      steps: z.array(
        z.object({
          step: z.enum(BIND_STEPS),
          outcome: z.enum(['done', 'failed', 'skipped']),
          milliseconds: count,
          /** Code of the fault; null if the step did not fail. */
          code: z.string().nullable(),
          /** Detail: an address, a TLS version, or the carrier's system_id; '' for none. */
          detail: z.string(),
        }),
      ),
    }),
  }),
  errors: ['not_found'],
});

/** Private channel of all links, and its event: `{ ids }` of links to be read again. */
export const LINK_CHANNEL = 'links.0';
export const LINK_EVENT = 'link.state';

/** Faults with their own sentence under `link_fault.`; other statuses use `carrier_error.<code>`. */
export const LINK_FAULTS = [
  'peer_unbound',
  'peer_closed',
  'connect_failed',
  'bind_refused',
  'bind_timeout',
  'half_open',
  'inactive',
  'responses_lost',
  'framing_error',
  'peer_not_reading',
  'timeout',
  'address_not_allowed',
  'password_unreadable',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ESME_RINVPASWD',
  'ESME_RINVSYSID',
  'ESME_RBINDFAIL',
  'ESME_RALYBND',
  'ESME_RINVSYSTYP',
  'ESME_RINVBNDSTS',
  'ESME_RSYSERR',
] as const;
