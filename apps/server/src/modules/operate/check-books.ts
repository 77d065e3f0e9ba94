import type pg from 'pg';
import { readAnchors, verifyActivity } from '#modules/audit';
import { reconcile } from '#modules/billing';
import type { ConnectedConfig } from '#platform/config';

/** What the books of a database say of themselves. */
export interface Books {
  /** Contradictions in the ledger; none where it is sound. */
  contradictions: number;
  activity_entries: number;
  /** What is wrong with the activity log, in words; null where it is whole. */
  activity_fault: string | null;
}

/** Reconciles the ledger and walks the activity log. */
export async function checkBooks(client: pg.ClientBase, config: Pick<ConnectedConfig, 'DATA_DIR'>): Promise<Books> {
  const findings = await reconcile(client);
  const { checked, fault } = await verifyActivity(client as pg.Client, await readAnchors(config));
  return {
    contradictions: findings.length,
    activity_entries: checked,
    activity_fault: fault ? `entry ${fault.position} is ${fault.what}` : null,
  };
}
