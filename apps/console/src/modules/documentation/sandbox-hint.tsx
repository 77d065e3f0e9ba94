import { ENDINGS } from '@heliograph/contract/sandbox/endings';
import { Anchor, Code, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { Link } from '../../ui/link.tsx';

/** Endings that a first try should show: the others are on the screen of handsets. */
const SHOWN: readonly string[] = ['delivered', 'unknown_subscriber', 'expired', 'refused', 'yes'];

/** Endings of numbers to try, and after a try the way to the handset that received the message. */
export function SandboxHint({ sent }: { sent: boolean }) {
  const { t } = useTranslation();
  const may = useMay('api-keys-create');
  return (
    <Stack gap={4}>
      <Text size="sm">{t('sandbox.try_hint')}</Text>
      {ENDINGS.filter(({ name }) => SHOWN.includes(name)).map(({ name, digits }) => (
        <Text key={name} size="sm" c="dimmed">
          <Code>{digits}</Code> {t(`sandbox.endings.${name}`)}
        </Text>
      ))}
      {may && (
        <Anchor component={Link} to="/virtual-handsets" size="sm" fw={sent ? 600 : 400}>
          {t('sandbox.try_open')}
        </Anchor>
      )}
    </Stack>
  );
}
