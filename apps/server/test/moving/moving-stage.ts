import {
  applyPlan,
  type Calls,
  changesAnything,
  FaultyDocument,
  makePlan,
  readDocument,
  showPlan,
} from '#modules/moving';
import { asAdministrator } from '../../src/processes/as-administrator.ts';
import type { TestApi } from '../test-api.ts';

/** Runs `work` with calls of the demo's super administrator. */
export const calls = <Result>({ config, log }: TestApi, work: (calls: Calls) => Promise<Result>): Promise<Result> =>
  asAdministrator({ config, log }, 'superadmin@heliograph.test', work);

const around = (variables: Record<string, string>) => ({
  variable: (name: string) => variables[name],
  folder: '/nowhere',
});

/** Plans a file; answers the lines of the plan, or those of the faults. */
export async function planOf(each: Calls, text: string, variables: Record<string, string> = {}, setSecrets = false) {
  const document = readDocument(text, around(variables));
  try {
    const plan = await makePlan(each, document, { setSecrets, isDone: async () => false });
    return { plan, lines: showPlan(plan), faults: [] as string[], changes: changesAnything(plan) };
  } catch (error) {
    if (!(error instanceof FaultyDocument)) throw error;
    return {
      lines: [],
      changes: false,
      faults: error.faults.map(({ line, path, message }) => `${line} ${path}: ${message}`),
    };
  }
}

/** Applies a file; answers the names of the records that were created or changed. */
export async function applied(
  each: Calls,
  text: string,
  variables: Record<string, string> = {},
  files: ReadonlyMap<string, string> = new Map(),
  setSecrets = false,
) {
  const { plan, faults } = await planOf(each, text, variables, setSecrets);
  if (!plan) throw new Error(faults.join('\n'));
  const done: string[] = [];
  const rows: Record<string, unknown>[] = [];
  const read = (name: string) => {
    const text = files.get(name);
    if (text === undefined) throw new Error(`no file ${name}`);
    return { name, bytes: Buffer.from(text) };
  };
  await applyPlan(each, plan, read, {
    applied: (step, row) => {
      done.push(`${step.action} ${step.declared.kind.section} ${step.entry.labels.join(' / ')}`);
      rows.push(row);
    },
    appliedExtra: () => undefined,
  });
  return { done, rows };
}
