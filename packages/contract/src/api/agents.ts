import { z } from 'zod';

/** Address at which agents speak the Model Context Protocol (MCP). */
export const MCP_PATH = '/mcp';

/** Minutes for which an agent may send what it has quoted. */
export const QUOTE_MINUTES = 10;
/** Most recipients of one message of an agent. */
export const MOST_RECIPIENTS = 1_000;

/** Message that an agent quotes and sends. */
export const agentMessage = z.object({
  from: z.string().min(1).max(21).describe('One of your sender IDs, as phones show it.'),
  to: z
    .array(z.string().min(1).max(40))
    .min(1)
    .max(MOST_RECIPIENTS)
    .describe('Phone numbers in international format. All get the same text.'),
  text: z.string().min(1).max(2_000).describe('The text. It is sent as it stands.'),
  class: z
    .enum(['transactional', 'bulk'])
    .default('transactional')
    .describe('`bulk` is sent last, and keeps to the hours in which people may be reached.'),
  send_at: z.iso.datetime({ offset: true }).optional().describe('Earliest time to send, by RFC 3339.'),
});
export type AgentMessage = z.output<typeof agentMessage>;
