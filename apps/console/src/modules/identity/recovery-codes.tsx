import { Alert, Button, Code, Group, SimpleGrid, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../platform/save-file.ts';

/** Recovery codes, which are shown only once, with a button to save them. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Alert color="yellow" variant="light">
        {t('two_factor.recovery_text')}
      </Alert>
      <SimpleGrid cols={2} spacing="xs">
        {codes.map((code) => (
          <Code key={code} ta="center" fz="sm">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => saveFile('recovery-codes.txt', `${codes.join('\n')}\n`, 'text/plain')}>
          {t('two_factor.recovery_file')}
        </Button>
        <Button onClick={onDone}>{t('two_factor.recovery_kept')}</Button>
      </Group>
    </Stack>
  );
}
