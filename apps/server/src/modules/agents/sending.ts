import { type AgentMessage, agentMessage, QUOTE_MINUTES } from '@heliograph/contract/api/agents';
import { sendBatch } from '@heliograph/contract/api/batch';
import { estimateMessage } from '@heliograph/contract/api/message';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Agent, type ApiAnswer, callApi, refusal } from './call-api.ts';
import { confirm, readConfirmation } from './confirmation.ts';

/** Names of the two tools of sending. */
export const QUOTE = 'quote_message';
export const SEND = 'send_message';

export const sendArguments = agentMessage.extend({
  confirmation: z
    .string()
    .min(1)
    .max(4_000)
    .describe(`\`confirmation\` of ${QUOTE}, at most ${QUOTE_MINUTES} minutes old.`),
});

/** Platform and key with which a message is sent. */
export interface Sending {
  server: FastifyInstance;
  agent: Agent;
  key_id: number;
  installationKey: Buffer;
  now: Date;
}

const estimate = ({ server, agent }: Sending, { from, to, text, class: kind }: AgentMessage) =>
  callApi(server, agent, estimateMessage, { body: { from, to, text, class: kind } });

/** Prices a message, and returns the confirmation with which it may be sent at that price. */
export async function quoteMessage(sending: Sending, given: unknown): Promise<ApiAnswer> {
  const message = agentMessage.safeParse(given);
  if (!message.success) return refusal(422, 'validation_failed', z.prettifyError(message.error));
  const answer = await estimate(sending, message.data);
  const { price, messages, parts } = answer.body as { price: string; messages: number; parts: number };
  if (answer.status >= 300 || messages === 0) return answer;
  const { installationKey, key_id, now } = sending;
  const { confirmation, until } = confirm(
    installationKey,
    { key: key_id, message: message.data, price, messages, parts },
    now,
  );
  return { status: 200, body: { ...answer.body, confirmation, confirmation_ends_at: until.toISOString() } };
}

/**
 * Sends a message that was quoted. It is priced once more: if something has changed, nothing is sent. A confirmation
 * sends once, however often it is used.
 */
export async function sendQuoted(sending: Sending, given: unknown): Promise<ApiAnswer> {
  const parsed = sendArguments.safeParse(given);
  if (!parsed.success) return refusal(422, 'validation_failed', z.prettifyError(parsed.error));
  const { confirmation, ...message } = parsed.data;
  const { server, agent, key_id: key, installationKey, now } = sending;
  const promise = readConfirmation(installationKey, confirmation, { key, message, now });
  if (!promise)
    return refusal(
      409,
      'confirmation_invalid',
      `This confirmation is too old, or is for another message. Call ${QUOTE} with this message, show its price to the user, and send with the new confirmation.`,
    );
  const answer = await estimate(sending, message);
  if (answer.status >= 300) return answer;
  const { price, messages, parts } = answer.body;
  if (price !== promise.price || messages !== promise.messages || parts !== promise.parts)
    return refusal(
      409,
      'quote_changed',
      `The price or the recipients have changed since the quote. Call ${QUOTE} again and show the new price to the user.`,
    );
  const { from, to, text, class: kind, send_at } = message;
  const body = {
    from,
    text,
    class: kind,
    recipients: to.map((each) => ({ to: each })),
    tags: [`agent:${agent.name}`.slice(0, 50)],
    ...(send_at !== undefined && { send_at }),
  };
  return callApi(server, agent, sendBatch, { body }, { 'idempotency-key': `agent-${promise.once}` });
}
