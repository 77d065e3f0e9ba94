import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Stage } from './stage.ts';

/** A file of recipients as the composer shows it. */
export interface Upload {
  id: number;
  columns: string[];
  mapping: (string | null)[];
  preview: string[][];
  remembered: boolean;
}

/** Returns the steps of composer tests; by default `boss` makes the calls. */
export function composer(stage: Stage) {
  const { owner } = stage;

  async function fileOf(content: string, token = 'boss'): Promise<Upload> {
    const { status, body } = await stage.upload<{ data: Upload }>(
      token,
      '/api/v1/campaigns/files',
      'people.csv',
      content,
    );
    assert.equal(status, 201, JSON.stringify(body));
    return body.data;
  }

  async function send(quoteId: number): Promise<number> {
    const created = await stage.call<{ data: { id: number } }>('boss', 'POST', '/api/v1/campaigns', {
      quote_id: quoteId,
      name: 'As quoted',
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    await stage.prepare(created.body.data.id);
    return created.body.data.id;
  }

  const messagesOf = (campaignId: number) =>
    owner
      .selectFrom('message')
      .innerJoin('chunk', (join) => join.on(sql<boolean>`chunk.id = message.id >> 10`))
      .select(['message.msisdn', 'message.parts', 'message.unicode', 'message.unit_price'])
      .select(sql<string>`coalesce(message.text, chunk.common_text)`.as('text'))
      .where('message.campaign_id', '=', campaignId)
      .orderBy('message.id')
      .execute();

  return { fileOf, send, messagesOf };
}

/** Returns the number `i` of the tenant's country. */
export const msisdn = (i: number) => `63917${String(i).padStart(7, '0')}`;
