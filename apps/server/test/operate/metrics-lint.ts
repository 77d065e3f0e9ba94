import { samplesOf } from './metrics-text.ts';

const COMMENT = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/;
const TYPES = new Set(['counter', 'gauge', 'histogram', 'summary', 'untyped']);
/** Units that are not base units, and abbreviations of units. */
const UNITS =
  /(^|_)(milliseconds?|microseconds?|nanoseconds?|minutes?|hours?|days?|ms|us|secs|mins|hrs?|kilobytes?|megabytes?|gigabytes?|bits?|kb|mb|gb|percent)(_|$)/;
/** Suffixes allowed after the name of a histogram or a summary. */
const SUFFIXES = /_(bucket|sum|count)$/;

interface Family {
  name: string;
  help?: string;
  type?: string;
  ended: boolean;
}

/**
 * Returns the faults that `promtool check metrics` finds in an answer of /metrics, and breaches of the exposition
 * format. Each family must have its help and type before its samples, stand in one place, and follow the naming rules.
 */
export function lintMetrics(text: string): string[] {
  const faults: string[] = [];
  const families = new Map<string, Family>();
  const series = new Set<string>();
  let current: Family | undefined;
  const enter = (name: string): Family => {
    const family = families.get(name) ?? { name, ended: false };
    families.set(name, family);
    if (current && current !== family) current.ended = true;
    if (family.ended && current !== family) faults.push(`${name}: stands in two places`);
    current = family;
    return family;
  };
  if (!text.endsWith('\n')) faults.push('the last line does not end');
  for (const line of text.split('\n').filter(Boolean)) {
    if (line.startsWith('#')) {
      const [, kind, name = '', rest = ''] = COMMENT.exec(line) ?? [];
      if (!kind) faults.push(`no comment of a metric: ${line}`);
      const family = enter(name);
      const key = kind === 'HELP' ? 'help' : 'type';
      if (family[key] !== undefined) faults.push(`${name}: ${key} twice`);
      family[key] = rest;
      continue;
    }
    const [sample] = samplesOf(line);
    const { name, labels, value } = sample!;
    const base = name.replace(SUFFIXES, '');
    const family = enter(families.has(name) ? name : base);
    if (!family.type || !family.help) faults.push(`${name}: sample before its help and type`);
    // A mean of no values is not a number. The format leaves its case to Go's ParseFloat, which ignores it.
    if (Number.isNaN(value) && !/ nan$/i.test(line)) faults.push(`${name}: no number: ${line}`);
    const key = JSON.stringify([name, Object.entries(labels).sort()]);
    if (series.has(key)) faults.push(`${name}: the same series twice: ${line}`);
    series.add(key);
    for (const label of Object.keys(labels))
      if (/[A-Z]/.test(label) || label.startsWith('__')) faults.push(`${name}: label ${label}`);
  }
  for (const family of families.values()) faults.push(...faultsOf(family));
  return faults;
}

function faultsOf({ name, help, type }: Family): string[] {
  const faults: string[] = [];
  if (!help) faults.push('no help');
  if (!type || !TYPES.has(type)) faults.push(`type ${type}`);
  if (type === 'counter' && !name.endsWith('_total')) faults.push('a counter that does not end in _total');
  if (type !== 'counter' && name.endsWith('_total')) faults.push('_total at what is no counter');
  if (SUFFIXES.test(name)) faults.push('a suffix that belongs to histograms and summaries');
  if (name.includes(':')) faults.push('a colon, which belongs to recording rules');
  if (/[a-z][A-Z]/.test(name)) faults.push('camelCase');
  if (new RegExp(`_${type}(_|$)`).test(name)) faults.push('its type in its name');
  if (UNITS.test(name)) faults.push('a unit that is no base unit');
  return faults.map((fault) => `${name}: ${fault}`);
}
