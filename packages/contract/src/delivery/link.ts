import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';
import { bindAttempt, changedLink, ID_RULES, linkSettings, newLink } from './link-settings.ts';

/** What a link is doing; `down` too where no sender process holds its lanes. */
export const LINK_STATES = ['up', 'binding', 'down', 'throttled', 'draining', 'disabled'] as const;

/** Counts of segments and receipts, over whatever span. */
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
 * A fault of a link. `code` is a reason of ours (`peer_closed`), an error code of the network or of TLS
 * (`ECONNREFUSED`), or an SMPP status (`ESME_RINVPASWD`); its plain words are `link_fault.<code>`.
 */
const fault = z.object({
  at: z.iso.datetime({ offset: true }),
  code: z.string(),
  /** How often in a row. */
  count: z.int().positive(),
});

const learning = z.object({
  /** Receipts whose id was looked at. */
  seen: count,
  /** Receipts that each rule brought to the response of their message. */
  as_is: count,
  hex_to_decimal: count,
  decimal_to_hex: count,
});

/** What the process that holds a link's lanes tells of it, at most every two seconds. */
export const linkLive = z.object({
  sessions: z.object({ bound: count, wanted: count }),
  in_flight: count,
  /** Of the last 60 seconds. */
  minute: counters,
  /** Since `counting_since`. */
  total: counters,
  counting_since: z.iso.datetime({ offset: true }),
  /** Newest first, ten at most. */
  faults: z.array(fault),
  /** The carrier's last refusal of a bind, until a bind succeeds. */
  refusal: fault.nullable(),
  /** How far the id rule is learned; null where it is set. */
  learning: learning.nullable(),
});

export const link = resource({
  name: 'links',
  row: linkSettings.extend({
    enabled: z.boolean(),
    /** When the password was last entered; null for a link without one. */
    credentials_set_at: z.iso.datetime({ offset: true }).nullable(),
    state: z.enum(LINK_STATES),
    state_since: z.iso.datetime({ offset: true }).nullable(),
    /** The process that holds the lanes, as host:process:run; null for none. */
    holder: z.string().nullable(),
    learned_id_rule: z.enum(ID_RULES).exclude(['learn']).nullable(),
    learned_receipts: count.nullable(),
    learned_at: z.iso.datetime({ offset: true }).nullable(),
    live: linkLive.nullable(),
  }),
  create: newLink,
  update: changedLink,
  filters: z.object({ state: z.enum(LINK_STATES).optional(), enabled: z.stringbool().optional() }),
  sort: ['name', 'host', 'created_at'],
  title: 'name',
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

/** Binds, and takes messages. */
export const enableLink = act('enable');
/** Unbinds within seconds; answers that did not come by then are waited for as receipts. */
export const disableLink = act('disable');
/** Takes nothing new, waits for every answer in its window, then unbinds. */
export const drainLink = act('drain');

export const BIND_STEPS = ['resolve', 'connect', 'tls', 'bind'] as const;

/** Tries settings against the carrier within five seconds. */
export const testBind = operation({
  method: 'POST',
  path: '/api/v1/links/test-bind',
  permission: link.permissions.edit,
  body: bindAttempt,
  reply: z.object({
    data: z.object({
      /** Every step was done. */
      bound: z.boolean(),
      steps: z.array(
        z.object({
          step: z.enum(BIND_STEPS),
          outcome: z.enum(['done', 'failed', 'skipped']),
          milliseconds: count,
          /** What went wrong, as in a fault; null where nothing did. */
          code: z.string().nullable(),
          /** An address, a TLS version, or the carrier's system_id; '' for none. */
          detail: z.string(),
        }),
      ),
    }),
  }),
  errors: ['not_found'],
});

/** The private channel of all links, and its event: `{ ids }` of links that are to be read again. */
export const LINK_CHANNEL = 'links.0';
export const LINK_EVENT = 'link.state';

/** Faults that have words of their own under `link_fault.`; other statuses are worded as `carrier_error.<code>`. */
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
