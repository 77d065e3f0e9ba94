import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import { countParts, MAX_PARTS } from '@heliograph/contract/kernel/segments';
import { isStorable } from '@heliograph/contract/kernel/storable';
import type { ParameterValues } from '@heliograph/contract/links/vendor-parameters';
import { SANDBOX_LIMITS } from '@heliograph/contract/sandbox/limits';
import {
  checkParameters,
  chooseLinks,
  linksOf,
  nameParameters,
  type Route,
  refusalOf,
  registeredRoute,
} from '#modules/carrier-routes';
import { FAULT_TEXT } from '#modules/contacts';
import { type HoldingRule, webFault } from '#modules/moderation';
import { closedIn, heldUntil, outsideHours, zonesOf } from '#modules/policy';
import { templateFault } from '#modules/templates';
import { BusinessError, fieldError } from '#platform/errors';
import { markHidden, type TextKey } from '#platform/text/sealed-text';
import type { OperatorRules } from './operator-rules.ts';
import type { Program, Submission } from './program.ts';
import type { Facts } from './read-facts.ts';

/** Submission that may be sent, as far as its own content shows. */
export interface Judged {
  submission: Submission;
  facts: Facts;
  sender_id_id: number;
  /** True for the class bulk, and for everything from a promotional sender ID. */
  commercial: boolean;
  msisdn: string;
  /** Text with everything that is added to it. */
  text: string;
  unicode: boolean;
  parts: number;
  /** Price of one part in thousandths; 0 for tests. */
  unit_price: number;
  reseller_unit_price: number | null;
  /** RFC 3339; null means now. */
  not_before: string | null;
  expires_at: string;
  /** Rule that holds it for a decision; null for none. */
  held: HoldingRule | null;
  /** Values of vendor parameters by name; null for none. */
  parameters: ParameterValues | null;
  /** Key with which the text is encrypted; null for none. */
  text_key: TextKey | null;
}

const MINUTE_MS = 60_000;
/** Maximum days between handing in a message and sending it. */
const MAX_DAYS_AHEAD = 7;
const MAX_AHEAD_MS = MAX_DAYS_AHEAD * 86_400_000;

/**
 * Checks one submission against the facts that were read about its program. Throws the error that refuses it. `together`
 * is the number of submissions that came in the same call.
 */
export function judge(
  submission: Submission,
  program: Pick<Program, 'is_test' | 'read_national'>,
  facts: Facts,
  rules: OperatorRules,
  now: Date,
  together = 1,
): Judged {
  if (submission.refused) throw submission.refused;
  const { account, prices } = facts;
  if (!facts.usable) throw new BusinessError('program_disabled');
  if (facts.tests_today >= SANDBOX_LIMITS.perDay)
    throw new BusinessError('sandbox_full', { params: { count: SANDBOX_LIMITS.perDay } });
  if (!account) throw new BusinessError('billing_account_missing');
  if (prices instanceof BusinessError && !program.is_test) throw prices;
  const sender = facts.sender(submission.from);
  if (!sender) throw new BusinessError('sender_not_allowed', { fields: { from: [{ key: 'not_visible' }] } });
  if (submission.flash && !account.flash_allowed)
    throw new BusinessError('flash_not_allowed', { fields: { flash: [{ key: 'flash_not_allowed' }] } });
  const { msisdn, fault } = checkNumber(
    submission.to,
    program.read_national ? rules.numbers : { ...rules.numbers, national: null },
  );
  if (fault) throw fieldError('to', FAULT_TEXT[fault]);
  const own = textOf(submission, facts.corporation_id, sender.ending, rules);
  const free = program.is_test || prices instanceof BusinessError;
  const route = routeOrThrow(submission, program, facts, msisdn);
  const unit_price = free ? 0 : prices.priceOf(msisdn);
  const reseller_unit_price = free ? null : (prices.resellerPriceOf?.(msisdn) ?? null);
  if (!free)
    judgeMargin(submission, facts, rules, {
      route,
      msisdn,
      parts: own.parts,
      price: reseller_unit_price ?? unit_price,
    });
  const screening = program.is_test ? null : rules.moderation.of('programs', facts.corporation_id, submission.from);
  const commercial = submission.class === 'bulk' || sender.promotional;
  return {
    submission,
    facts,
    sender_id_id: sender.id,
    commercial,
    msisdn,
    ...own,
    text: submission.hidden ? markHidden(own.text, submission.hidden) : own.text,
    text_key: facts.text_key ?? (submission.hidden ? facts.code_key() : null),
    unit_price,
    reseller_unit_price,
    ...timesOf(submission, account.sms_validity, now, (at) =>
      heldBy(rules, facts, submission.class, commercial, msisdn, at),
    ),
    held: screening?.holds({ text: own.text, messages: together, msisdn }) ?? null,
    parameters: parametersOf(submission, facts.corporation_id, rules),
  };
}

function parametersOf(
  { parameters = {}, tlvs, text }: Submission,
  corporation_id: number,
  { parameters: known, givers, templates }: OperatorRules,
): ParameterValues | null {
  const allowed = givers.has(corporation_id);
  // Programs that always sent some TLVs go on as before until their corporation may give values.
  const named = tlvs && allowed ? { ...nameParameters(known, tlvs), ...parameters } : parameters;
  checkParameters(known, named, 'parameters', allowed);
  const values = { ...templates.parametersOf(corporation_id, text), ...named };
  return Object.keys(values).length > 0 ? values : null;
}

function textOf(
  { from, text, encoding, as_is, class: of }: Submission,
  corporation_id: number,
  ending: string,
  { blocked, web, templates, findings }: OperatorRules,
) {
  if (!isStorable(text)) throw fieldError('text', 'unstorable');
  if (text === '') throw fieldError('text', 'required');
  // A sign-in code has no ending: it must reach the person as it is.
  const whole = as_is || of === 'otp' ? text : text + ending;
  const counted = countParts(whole);
  if (encoding === 'gsm' && counted.encoding !== 'gsm') throw fieldError('encoding', 'needs_unicode');
  if (counted.parts > MAX_PARTS)
    throw new BusinessError('text_too_long', { fields: { text: [{ key: 'text_too_long' }] } });
  if (blocked(whole)) throw fieldError('text', 'blocked_text');
  const approved = templates.of(corporation_id, from);
  if (approved && !approved.passes(text)) throw templateFault('text', approved.sender);
  const check = web.of(corporation_id, from);
  const refusal = check && findings.check(check, whole);
  if (refusal) throw webFault('text', refusal);
  return { text: whole, unicode: counted.encoding === 'ucs2', parts: counted.parts };
}

function timesOf(
  { send_at, validity_minutes }: Submission,
  hours: number,
  now: Date,
  heldAt: (moment: Date) => Date | null,
) {
  const most = hours * 60;
  if (validity_minutes && validity_minutes > most) throw fieldError('validity', 'too_big', { count: most });
  const asked = send_at ? Date.parse(send_at) : 0;
  if (asked > now.getTime() + MAX_AHEAD_MS) throw fieldError('send_at', 'too_far_ahead', { count: MAX_DAYS_AHEAD });
  const planned = new Date(Math.max(asked, now.getTime()));
  // The validity counts from the moment at which the message may leave.
  const leaves = heldAt(planned) ?? planned;
  const expires = leaves.getTime() + (validity_minutes ?? most) * MINUTE_MS;
  return { not_before: leaves > now ? leaves.toISOString() : null, expires_at: new Date(expires).toISOString() };
}

/**
 * Returns the first moment at which a message may leave, or null if it may at `moment`. Throws `outside_hours` if the message may not wait.
 */
function heldBy(
  { hours, blackouts }: OperatorRules,
  { corporation_id, timezone }: Facts,
  of: Submission['class'],
  commercial: boolean,
  msisdn: string,
  moment: Date,
): Date | null {
  const window = commercial ? blackouts.get(corporation_id) : undefined;
  if ((hours.length === 0 && !window) || (of === 'otp' && !commercial)) return null;
  const closed = closedIn(hours, zonesOf(msisdn) ?? timezone, commercial);
  if (window) closed.push({ window, zone: timezone, outside: 'wait' });
  const held = heldUntil(closed, moment);
  if (!held) return null;
  if (held.refused || !held.until) throw outsideHours(held.until, timezone);
  return held.until;
}

/**
 * Counts a message for which carriers take more than the platform gets. Throws `destination_unavailable` if the operator
 * refuses such messages: the customer does not learn a cost.
 */
function judgeMargin(
  { from, class: of }: Submission,
  { corporation_id, routing, payer_currency: currency }: Facts,
  { margins, losses }: OperatorRules,
  { route, msisdn, parts, price }: { route: Route | null; msisdn: string; parts: number; price: number },
): void {
  const loss = margins?.lossOn(routing, route, { corporation_id, sender_id: from, class: of, msisdn, price, currency });
  if (!loss) return;
  const refused = margins!.mode === 'refuse';
  losses.add(corporation_id, refused, loss, parts);
  if (refused)
    throw new BusinessError('destination_unavailable', { fields: { to: [{ key: 'destination_unavailable' }] } });
}

/**
 * Returns the route of a number; null for none. Throws `no_route` if no link can carry the number, and
 * `sender_not_registered` if none knows the sender ID.
 */
function routeOrThrow(
  { from, class: of }: Submission,
  program: Pick<Program, 'is_test'>,
  { routing, corporation_id }: Facts,
  msisdn: string,
): Route | null {
  const { table, links, reseller_id } = routing;
  if (links.size === 0) throw new BusinessError('no_route');
  if (program.is_test) return null;
  const traffic = { corporation_id, reseller_id, sender_id: from, class: of };
  const route = registeredRoute(routing, table.finder(traffic)(msisdn), { ...traffic, msisdn });
  if (chooseLinks(linksOf(routing, route, traffic), links, of).links.length > 0) return route;
  const code = refusalOf(routing, route);
  throw new BusinessError(code, code === 'no_route' ? {} : { fields: { from: [{ key: code }] } });
}
