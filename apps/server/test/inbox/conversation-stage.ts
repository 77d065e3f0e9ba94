import type {
  conversationCounts,
  conversationMessages,
  conversations,
  getConversation,
} from '@heliograph/contract/inbox/conversation';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Scope } from '../template-database.ts';
import type { Client } from '../test-api.ts';
import { inboxStage } from './bring.ts';

export type Row = ReplyOf<typeof conversations>['data'][number];
type One = ReplyOf<typeof getConversation>['data'];
type Entry = ReplyOf<typeof conversationMessages>['data'][number];

export const path = '/api/v1/conversations';

/** The stage of the inbox with the words MINE and CORP of two people, and functions that read conversations. */
export async function conversationStage(t: Scope) {
  const stage = await inboxStage(t);
  const { api, one } = stage;
  const personId = async (login: string) =>
    (await one<{ id: number }>('SELECT id FROM user_account WHERE email = $1', [`${login}@heliograph.test`])).id;
  const userId = await personId('user');
  await stage.routing({});
  await stage.routing({ keyword: 'MINE', user_id: userId });
  await stage.routing({ keyword: 'CORP', user_id: await personId('corporate') });
  let phones = 0;
  const list = async (client: Client, query: Record<string, string> = {}) =>
    ((await client('GET', `${path}?${new URLSearchParams({ limit: '200', ...query })}`)).body as { data: Row[] }).data;
  return {
    ...stage,
    corporate: await api.as('corporate'),
    user: await api.as('user'),
    personId,
    userId,
    list,
    newPhone: () => `63922${String(++phones).padStart(7, '0')}`,
    /** Returns the row of a phone in a view, if it has one there. */
    ofPhone: async (client: Client, oa: string, view = 'open') => (await list(client, { oa, view }))[0],
    counts: async (client: Client) =>
      (await client('GET', `${path}/counts`)).body as ReplyOf<typeof conversationCounts>,
    shown: async (client: Client, id: number) => ((await client('GET', `${path}/${id}`)).body as { data: One }).data,
    entries: async (client: Client, id: number, query = '') =>
      (await client('GET', `${path}/${id}/messages${query}`)).body as { data: Entry[]; next_cursor: string | null },
    change: (client: Client, id: number, body: object, etag?: string) =>
      client('PATCH', `${path}/${id}`, body, etag === undefined ? {} : { 'if-match': `"${etag}"` }),
  };
}
