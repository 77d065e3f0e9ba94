import { readProviderMetadata } from '@heliograph/contract/single-sign-on/identity-provider';
import { Button, FileButton, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormState } from '../../resource/form.tsx';

/** Field for the metadata of a provider, pasted or from a file. It fills the fields below and is not stored. */
export function MetadataField() {
  const { t } = useTranslation();
  const form = useFormState();
  const { run, busy } = useAction();
  const [metadata, setMetadata] = useState('');
  const read = (text: string) =>
    void run(async () => {
      const { data } = await call(readProviderMetadata, { body: { metadata: text } });
      for (const [name, value] of Object.entries(data)) form.set(name, value);
      setMetadata('');
    });
  return (
    <div>
      <Textarea
        label={t('sign_on.metadata')}
        description={t('sign_on.metadata_hint')}
        autosize
        minRows={2}
        maxRows={8}
        value={metadata}
        onChange={(event) => setMetadata(event.currentTarget.value)}
      />
      <Group gap="xs" mt="xs">
        <Button
          size="xs"
          variant="default"
          loading={busy}
          disabled={metadata.trim() === ''}
          onClick={() => read(metadata)}
        >
          {t('sign_on.read_metadata')}
        </Button>
        <FileButton accept=".xml,text/xml,application/xml" onChange={(file) => void file?.text().then(read)}>
          {(props) => (
            <Button size="xs" variant="default" {...props}>
              {t('sign_on.metadata_file')}
            </Button>
          )}
        </FileButton>
      </Group>
    </div>
  );
}
