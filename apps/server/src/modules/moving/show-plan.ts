import { kindOf as fieldKind } from '@heliograph/contract/kernel/fields';
import type { Plan, Step } from './plan.ts';
import { Reference } from './read-document.ts';
import { fieldsOf, isSecret, writtenName } from './schemas.ts';

const MOST_LENGTH = 120;

/** Counts of a plan: records and entries that it creates, changes and leaves as they are. */
export function countsOf(plan: Plan): { create: number; change: number; same: number; other: number } {
  const of = (action: Step['action']) => plan.steps.filter((step) => step.action === action).length;
  const other = plan.extras.filter(({ done }) => !done).length;
  return { create: of('create'), change: of('change'), same: of('same'), other };
}

/** Whether applying a plan would change something. */
export const changesAnything = (plan: Plan): boolean => {
  const { create, change, other } = countsOf(plan);
  return create + change + other > 0;
};

/** Returns the section and the names of a step, such as `links "Globe"`. */
export const nameOf = ({ declared, entry }: Step): string => `${declared.kind.section} "${entry.labels.join(' / ')}"`;

/** Returns the lines of a plan for a person: no value of a secret is in them. */
export function showPlan(plan: Plan): string[] {
  const lines: string[] = [];
  for (const step of plan.steps) {
    const secret = (field: string) => isSecret(step.declared.kind, field);
    const written = (field: string) => writtenName(field, fieldsOf(step.declared.kind)[field]!);
    if (step.action === 'create') {
      lines.push(`+ ${nameOf(step)}`);
      for (const [field, value] of step.declared.fields)
        if (!step.declared.kind.key.includes(field))
          lines.push(`    ${written(field)}: ${secret(field) ? '(set)' : textOf(value)}`);
    }
    if (step.action === 'change') {
      lines.push(`~ ${nameOf(step)}`);
      for (const { field, before, after } of step.changes)
        lines.push(
          `    ${written(field)}: ${secret(field) ? '(set)' : `${shown(plan, step, field, before)} → ${textOf(after)}`}`,
        );
    }
    for (const { field, settable } of step.kept)
      lines.push(`  ${nameOf(step)} keeps its ${written(field)}${settable ? '; --set-secrets sets it again' : ''}`);
  }
  for (const { declared, done } of plan.extras)
    if (!done) lines.push(`+ ${declared.extra.title(Object.fromEntries(declared.fields))}`);
  for (const [section, count] of plan.undeclared)
    if (count > 0) lines.push(`  ${section}: ${count} more exist and stay as they are`);
  return lines;
}

/** Returns a present value, with the names of the records that it refers to. */
function shown(plan: Plan, step: Step, field: string, value: unknown): string {
  const schema = fieldsOf(step.declared.kind)[field]!;
  if (fieldKind(schema) === 'reference' && typeof value === 'number') {
    const names = plan.catalog.nameOfId(schema, value, step.scope);
    if (names !== undefined) return JSON.stringify(names);
  }
  return textOf(value);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '(empty)';
  const text = JSON.stringify(value, (_key, each) => (each instanceof Reference ? each.text : each));
  return text.length > MOST_LENGTH ? `${text.slice(0, MOST_LENGTH)}…` : text;
}
