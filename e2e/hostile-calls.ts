import { signOut } from '@heliograph/contract/identity/session';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';

/** Words that break unchecked texts, numbers and paths: a NUL, an overflow, a text that is too long. */
const HOSTILE = ['\u0000', '-1', '99999999999999999999', `'; --`, 'x'.repeat(300)];

const namesOf = (schema: unknown) => Object.keys((schema as { shape?: object }).shape ?? {});

/** Lists every call of the contract with each hostile word in its path, or in all fields of its query and body. */
export function hostileCalls(): { o: Operation; word: string; path: string; body: object | undefined }[] {
  return ALL_OPERATIONS.filter(({ path }) => path !== signOut.path).flatMap((o) => {
    const bodiless = o.upload || o.method === 'GET' || o.method === 'DELETE';
    return HOSTILE.flatMap((word) => {
      const filled = (schema: unknown) => Object.fromEntries(namesOf(schema).map((name) => [name, word]));
      const body = bodiless ? undefined : filled(o.body);
      const at = (id: string) => o.path.replace(/:\w+/g, id);
      const call = (path: string) => ({ o, word, body, path });
      const asked = namesOf(o.query).length > 0 || Object.keys(body ?? {}).length > 0;
      return [
        ...(o.path.includes(':') ? [call(at(encodeURIComponent(word)))] : []),
        ...(asked ? [call(`${at('987654321')}?${new URLSearchParams(filled(o.query))}`)] : []),
      ];
    });
  });
}
