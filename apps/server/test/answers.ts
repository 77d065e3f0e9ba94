import type { Answer } from './test-api.ts';

/** A record as the API returns it. */
export type Row = { id: number } & Record<string, unknown>;

// Parts of an answer, read without a check that the answer has them.
export const dataOf = <T = Row>({ body }: Pick<Answer, 'body'>) => (body as { data: T }).data;
export const rowsOf = ({ body }: Answer) => (body as { data: Row[] }).data;
export const codeOf = ({ body }: Pick<Answer, 'body'>) => (body as { code?: string } | null)?.code;
export const messageOf = ({ body }: Answer) => (body as { message: string }).message;
export const errorsOf = ({ body }: Answer) => (body as { errors?: Record<string, string[]> } | null)?.errors ?? {};
