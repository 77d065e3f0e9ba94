import { Text } from '@mantine/core';
import { useFormat } from '../../platform/format.ts';

/** Amount in a currency; a loss is red. */
export function Amount(props: { value: string; currency: string; signed?: boolean }) {
  const { value, currency, signed = false } = props;
  const format = useFormat();
  return (
    <Text span inherit {...(signed && value.startsWith('-') ? { c: 'red' } : {})}>
      {format.money(value, currency)}
    </Text>
  );
}
