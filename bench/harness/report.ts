export interface Figure {
  figure: string;
  value: number;
  unit: string;
}

/** Prints figures as a table on stderr and as JSON lines on stdout. */
export function report(bench: string, figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ figure }) => figure.length));
  process.stderr.write(`\n${bench}\n`);
  for (const { figure, value, unit } of figures) {
    const text = value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 2 : 0 });
    process.stderr.write(`  ${figure.padEnd(width)}  ${text.padStart(12)} ${unit}\n`);
    const rounded = value < 100 ? Math.round(value * 100) / 100 : Math.round(value);
    process.stdout.write(`${JSON.stringify({ bench, figure, value: rounded, unit })}\n`);
  }
}
