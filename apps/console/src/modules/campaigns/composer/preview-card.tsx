import { Select, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PhonePreview } from './phone-preview.tsx';
import type { Recipient } from './use-recipients.ts';

/** Card with the phone, and the recipient who owns it. */
export function PreviewCard(props: {
  sender: string;
  text: string;
  flash: boolean;
  recipients: readonly Recipient[];
  chosen: string | null;
  onChoose: (number: string) => void;
  note: string | undefined;
  /** Set to leave more room for the quote below. */
  compact: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      {props.recipients.length > 0 && (
        <Select
          label={t('preview.as')}
          size="sm"
          allowDeselect={false}
          data={props.recipients.map(({ number, values }) => ({
            value: number,
            label: values.name ? `${number} · ${values.name}` : number,
          }))}
          value={props.chosen}
          onChange={(value) => value && props.onChoose(value)}
        />
      )}
      <PhonePreview sender={props.sender} text={props.text} flash={props.flash} clock="9:41" compact={props.compact} />
      {props.note && (
        <Text size="xs" c="dimmed" ta="center">
          {props.note}
        </Text>
      )}
    </Stack>
  );
}
