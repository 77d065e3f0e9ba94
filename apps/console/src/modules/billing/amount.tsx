import { Text } from '@mantine/core';
import { useFormat } from '../../platform/format.ts';

/** Amount received or paid, with its sign. */
export function Amount({ amount, currency }: { amount: string; currency: string }) {
  const format = useFormat();
  const out = amount.startsWith('-');
  const nothing = Number(amount) === 0;
  return (
    <Text
      size="sm"
      ta="right"
      fw={500}
      c={out || nothing ? 'inherit' : 'var(--mantine-color-teal-light-color)'}
      style={{ whiteSpace: 'nowrap' }}
    >
      {out || nothing ? '' : '+'}
      {format.money(amount, currency)}
    </Text>
  );
}
