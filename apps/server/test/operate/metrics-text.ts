/** One line of /metrics. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Returns the samples in an answer of /metrics. Throws at a line that is not a sample. */
export function samplesOf(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    const found = LINE.exec(line);
    if (!found) throw new Error(`no line of metrics: ${line}`);
    const labels = Object.fromEntries([...(found[2] ?? '').matchAll(LABEL)].map(([, name, value]) => [name, value]));
    return [{ name: found[1]!, labels, value: Number(found[3]) }];
  });
}

/** Returns the sum of the samples of a name that have these labels, or undefined if there is none. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}
