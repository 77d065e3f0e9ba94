import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const KEYS = [
  ['Ctrl K / ⌘ K', 'palette'],
  ['?', 'help'],
  ['M', 'menu'],
  ['/', 'search'],
  ['N', 'create'],
  ['Ctrl ↵ / ⌘ ↵', 'save'],
  ['J / K', 'conversations'],
  ['R', 'reply'],
  ['E', 'close_conversation'],
  ['Esc', 'close'],
] as const;

/** Dialog that lists the keyboard shortcuts of the console. */
export function KeysHelp(props: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('shell.keys')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="sm">
        {KEYS.map(([key, label]) => (
          <Group key={key} justify="space-between">
            <Text size="sm">{t(`shell.key_${label}`)}</Text>
            <Kbd>{key}</Kbd>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
