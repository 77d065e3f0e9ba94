import type { Calls } from './calls.ts';
import { CallRefused } from './calls.ts';
import type { Row } from './catalog.ts';
import type { Upload } from './extras.ts';
import { mapReferences } from './normal.ts';
import type { ExtraStep, Plan, Step } from './plan.ts';
import { Reference } from './read-document.ts';
import { fieldsOf } from './schemas.ts';

/** Work on a plan: what happened to each step. */
export interface Progress {
  applied(step: Step, row: Row): void;
  appliedExtra(step: ExtraStep, upload: Upload | undefined): void;
}

/** A step that the platform refused. Everything before it is done. */
export class StepRefused extends Error {
  readonly line: number;
  readonly path: string;
  readonly reasons: readonly string[];

  constructor(step: { line: number; path: string }, refused: CallRefused) {
    super(refused.message, { cause: refused });
    this.line = step.line;
    this.path = step.path;
    this.reasons = Object.entries(refused.fields).flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`));
  }
}

/**
 * Applies a plan record by record, each in the transaction of its own call. Throws `StepRefused` at the first refusal;
 * the same file applied again continues there.
 */
export async function applyPlan(
  calls: Calls,
  plan: Plan,
  files: (path: string) => { name: string; bytes: Buffer },
  progress: Progress,
): Promise<void> {
  for (const step of plan.steps) {
    if (step.action === 'same') continue;
    const row = await asked(step.declared, () =>
      step.action === 'create' ? create(calls, plan, step) : change(calls, plan, step),
    );
    step.entry.id = row.id;
    step.entry.row = row;
    progress.applied(step, row);
  }
  for (const step of plan.extras) {
    if (step.done) continue;
    const { extra, fields } = step.declared;
    const values = Object.fromEntries([...fields].map(([name, value]) => [name, step.targets.get(name)?.id ?? value]));
    const path = fields.get('file') as string | undefined;
    const upload = await asked(step.declared, () =>
      extra.apply(calls, values, path === undefined ? undefined : files(path)),
    );
    progress.appliedExtra(step, upload);
  }
}

async function asked<Result>(at: { line: number; path: string }, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CallRefused ? new StepRefused(at, error) : error;
  }
}

async function create(calls: Calls, plan: Plan, step: Step): Promise<Row> {
  const { kind, fields } = step.declared;
  const values = Object.fromEntries([...fields].map(([field, value]) => [field, resolved(plan, step, field, value)]));
  const body = kind.body ? kind.body(values) : values;
  const { data } = (await calls.call(kind.resource.createOne, { body })) as { data: Row };
  return data;
}

async function change(calls: Calls, plan: Plan, step: Step): Promise<Row> {
  const { kind } = step.declared;
  const present = step.entry.row!;
  const own = step.changes.filter(({ field }) => kind.others?.[field] === undefined);
  for (const { field, before, after } of step.changes)
    await kind.others?.[field]?.write(calls, present.id, before, after);
  if (own.length === 0) return present;
  const body = Object.fromEntries(own.map(({ field, after }) => [field, resolved(plan, step, field, after)]));
  const input = { params: { id: present.id }, body, version: present.etag };
  const { data } = (await calls.call(kind.resource.updateOne, input)) as { data: Row };
  return data;
}

/** Replaces the references of a value by the ids of their records, which are known by now. */
function resolved(plan: Plan, step: Step, field: string, value: unknown): unknown {
  const scope = step.scope;
  return mapReferences(fieldsOf(step.declared.kind)[field]!, value, (_to, reference) => {
    if (!(reference instanceof Reference)) return reference;
    const found = plan.catalog.resolve(reference, scope);
    if (typeof found === 'string' || found.id === undefined) throw new Error(`${reference.path} has no record yet`);
    return found.id;
  });
}
