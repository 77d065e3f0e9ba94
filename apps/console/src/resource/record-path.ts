import { screenOf } from '@heliograph/contract/kernel/screen-list';
import { may } from '../platform/session.ts';

/** Pages of records whose address does not follow from the name of their kind. */
const PAGES: Readonly<Record<string, string>> = { campaigns: 'campaign-history/$id', 'number-lists': 'numbers-{$id}' };

/** Returns the address of a record's page; undefined if it has none or the person may not open it. */
export function recordPath(kind: string, id: number | null): string | undefined {
  const screen = id === null ? undefined : screenOf(PAGES[kind] ?? `${kind}/$id`);
  if (!screen || (screen.permission !== null && !may(screen.permission))) return undefined;
  return `/${screen.path.replace(/\{?\$id\}?/, String(id))}`;
}
