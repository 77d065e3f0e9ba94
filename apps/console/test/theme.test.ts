import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shadesOf } from '../src/ui/theme.ts';

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

test('white text is readable on any color that an operator chooses', () => {
  for (const color of ['#ffffff', '#ffee00', '#2f6fde', '#00ff88', '#000000', 'nonsense']) {
    const filled = shadesOf(color)[6]!;
    assert.ok(1.05 / (luminance(filled) + 0.05) >= 4.5, `${color} became ${filled}`);
  }
});

test('shades go from light to dark', () => {
  const lights = shadesOf('#2f6fde').map(luminance);
  assert.deepEqual(
    lights,
    lights.toSorted((a, b) => b - a),
  );
});
