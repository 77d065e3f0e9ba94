import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barLabel } from '../src/resource/period.ts';
import { FATE_HUES, FATES, stackedParts } from '../src/ui/chart-colors.ts';

type Rgb = readonly [number, number, number];

/**
 * Factors that change linear light to what eyes without one kind of cone see (Machado, Oliveira and Fernandes, 2009,
 * severity 1).
 */
const EYES: Readonly<Record<string, readonly Rgb[]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (hex: string): Rgb =>
  [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
const times = (matrix: readonly Rgb[], rgb: Rgb): Rgb =>
  matrix.map((row) => Math.min(1, Math.max(0, row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]))) as unknown as Rgb;

/** Converts to OKLab. Distances in OKLab match the differences that eyes see. */
function okLab([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
const apart = (a: Rgb, b: Rgb) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrast = (a: Rgb, b: Rgb) => {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

/** Distances below this are hard to tell apart in a legend. */
const DISTANCE = 0.12;
const PAGES = ['#ffffff', '#1a1b1e'] as const;

for (const [mode, page] of PAGES.entries())
  test(`chart colors differ for every kind of eyes, ${mode === 0 ? 'light' : 'dark'}`, () => {
    const hues = Object.entries(FATE_HUES).map(([fate, both]) => ({ fate, rgb: linear(both[mode]!) }));
    for (const [kind, matrix] of Object.entries(EYES))
      for (const [i, one] of hues.entries())
        for (const other of hues.slice(i + 1)) {
          const distance = apart(okLab(times(matrix, one.rgb)), okLab(times(matrix, other.rgb)));
          assert.ok(distance >= DISTANCE, `${kind}: ${one.fate} and ${other.fate} are ${distance.toFixed(3)} apart`);
        }
    // A color that is light on white is outlined only by its neighbors. All others stand out by themselves (WCAG
    // 1.4.11).
    for (const { fate, rgb } of hues)
      assert.ok(contrast(rgb, linear(page)) >= 2, `${fate}: ${contrast(rgb, linear(page))}`);
  });

test('a small part of a bar keeps its color: two pixels at least, and no round corners', () => {
  const y = (count: number) => 200 - (count / 1_000) * 200;
  const parts = stackedParts({ delivered: 900, failed: 1, expired: 0, blocked: 3 }, y, FATES);
  assert.deepEqual(
    parts.map(({ fate, height, round }) => [fate, Math.round(height), round]),
    [
      ['delivered', 180, true],
      ['failed', 2, false],
      ['blocked', 2, false],
    ],
  );
});

test('bars of years and months carry their label, even for cut periods', () => {
  const format = { date: (day: string) => `day ${day}`, month: (month: string) => `month ${month}` };
  assert.equal(barLabel('2025-11-23', 'annually', format), '2025');
  assert.equal(barLabel('2025-11-23', 'monthly', format), 'month 2025-11');
  assert.equal(barLabel('2025-11-17', 'weekly', format), 'day 2025-11-17');
});
