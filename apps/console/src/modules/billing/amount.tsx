import { Text } from '@mantine/core';
import { useFormat } from '../../platform/format.ts';

/** An amount that came or went, with its sign. */
export function Amount({ amount, currency }: { amount: string; currency: string }) {
  const format = useFormat();
  const out = amount.startsWith('-');
  return (
    <Text
      size="sm"
      ta="right"
      fw={500}
      c={out ? 'inherit' : 'var(--mantine-color-teal-light-color)'}
      style={{ whiteSpace: 'nowrap' }}
    >
      {out ? '' : '+'}
      {format.money(amount, currency)}
    </Text>
  );
}
