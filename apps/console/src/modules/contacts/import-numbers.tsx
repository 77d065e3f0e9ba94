import { getImport, importNumbers } from '@heliograph/contract/contacts/number-list';
import { Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { upload } from '../../platform/call.ts';
import { useNumberRules } from '../../platform/number-rules.ts';
import { FilePanel } from '../../resource/file-reading.tsx';
import { takeFileFor } from './list-form.tsx';

const SAMPLE = {
  name: 'numbers.csv',
  text: 'number,name,param1,param2\r\n639171234567,Maria,Gold,28 Feb\r\n639181234567,Jose,Silver,1 Mar\r\n',
};

/** Panel that fills a list from a CSV or XLSX file. */
export function ImportNumbers({ listId, onClose }: { listId: number; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const national = useNumberRules()?.national;
  const [reads, setReads] = useState(true);
  const [chosen] = useState(() => takeFileFor(listId));
  return (
    <FilePanel
      title={t('import.title')}
      progress={{ operation: getImport, event: '.import.progress' }}
      send={(file, reading, onProgress) =>
        upload(importNumbers, {
          params: { id: listId },
          query: { read_national: reads ? 'true' : 'false', ...reading },
          file,
          onProgress,
        })
      }
      onOver={() => {
        void client.invalidateQueries({ queryKey: ['numbers'] });
        void client.invalidateQueries({ queryKey: ['number-lists'] });
      }}
      onClose={onClose}
      hint={`${t('import.header')} ${t('import.other_names')}`}
      sample={SAMPLE}
      chosen={chosen}
    >
      {national && (
        <Switch
          label={t('import.read_national', {
            from: `${national.trunk_prefix}${national.start}…`,
            example: `${national.country_code}${national.start}…`,
          })}
          checked={reads}
          onChange={(event) => setReads(event.currentTarget.checked)}
        />
      )}
    </FilePanel>
  );
}
