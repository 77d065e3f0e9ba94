import { uploadContacts } from '@heliograph/contract/audience/contact-import';
import { listNumber, numberList } from '@heliograph/contract/contacts/number-list';
import { getBulkUpload } from '@heliograph/contract/kernel/bulk-upload';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Select, SimpleGrid, TagsInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { upload } from '../../platform/call.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { FilePanel } from '../../resource/file-reading.tsx';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { ContactMapping, type Mapping, MappingContext } from './contact-mapping.tsx';
import { ContactMending } from './contact-mending.tsx';
import { ListAsFile } from './list-as-file.tsx';

const SAMPLE = {
  name: 'contacts.csv',
  text: 'number,name,tags,birthday\r\n639171234567,Maria,vip,1990-05-31\r\n639181234567,Jose,,1985-12-01\r\n',
};

interface Choices {
  mode: 'update' | 'add';
  empty: 'keep' | 'clear';
  tags: string[];
  number_list_id: number | null;
}

/** Panel that imports a file into contacts: the meaning of its columns, and what becomes of existing contacts. */
export function ContactImport({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const own = useSession((s) => s.profile?.corporation_id ?? null);
  const [corporationId, setCorporationId] = useState(own);
  const [choices, setChoices] = useState<Choices>({ mode: 'update', empty: 'keep', tags: [], number_list_id: null });
  const [offered, setOffered] = useState<File>();
  const mapping = useRef<Mapping>({ columns: '', day_first: undefined });
  return (
    <MappingContext.Provider value={{ corporationId, onChange: (to) => (mapping.current = to) }}>
      <FilePanel
        title={t('contact_import.title')}
        progress={{ operation: getBulkUpload, event: '.bulk.progress' }}
        send={(file, reading, onProgress) => {
          const { columns, day_first } = mapping.current;
          const { number_list_id, tags, ...rest } = choices;
          return upload(uploadContacts, {
            query: {
              corporation_id: corporationId!,
              columns,
              tags: tags.join(','),
              ...rest,
              ...(number_list_id !== null && { number_list_id }),
              ...(day_first && { day_first }),
              ...reading,
            },
            file,
            onProgress,
          });
        }}
        onOver={() => {
          for (const name of ['contacts', 'contact-imports', 'number-lists'])
            void client.invalidateQueries({ queryKey: [name] });
        }}
        onClose={onClose}
        disabled={corporationId === null}
        hint={corporationId === null ? t('contact_import.pick_corporation') : t('contact_import.hint')}
        sample={SAMPLE}
        offered={offered}
        preview={ContactMapping}
        result={(id) => <ContactMending importId={id} />}
      >
        <ChoiceFields
          {...{ choices, corporationId }}
          onCorporation={own === null ? setCorporationId : undefined}
          onChange={(more) => setChoices((before) => ({ ...before, ...more }))}
        />
        {corporationId !== null && offered === undefined && (
          <ListAsFile corporationId={corporationId} onFile={setOffered} />
        )}
      </FilePanel>
    </MappingContext.Provider>
  );
}

function ChoiceFields(props: {
  choices: Choices;
  corporationId: number | null;
  onCorporation: ((id: number | null) => void) | undefined;
  onChange: (more: Partial<Choices>) => void;
}) {
  const { t } = useTranslation();
  const { choices, corporationId, onChange } = props;
  const mayAdd = useMay(listNumber.permissions.create);
  const maySee = useMay(numberList.permissions.index);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {props.onCorporation && (
        <ReferenceSelect
          label={t('resources.contacts.fields.corporation_id')}
          to={corporation}
          value={corporationId}
          onChange={(id) => {
            props.onCorporation!(id);
            onChange({ number_list_id: null });
          }}
        />
      )}
      <Select
        label={t('contact_import.mode')}
        allowDeselect={false}
        data={(['update', 'add'] as const).map((value) => ({ value, label: t(`contact_import.mode_${value}`) }))}
        value={choices.mode}
        onChange={(mode) => onChange({ mode: mode as Choices['mode'] })}
      />
      <Select
        label={t('contact_import.empty')}
        allowDeselect={false}
        disabled={choices.mode === 'add'}
        data={(['keep', 'clear'] as const).map((value) => ({ value, label: t(`contact_import.empty_${value}`) }))}
        value={choices.empty}
        onChange={(empty) => onChange({ empty: empty as Choices['empty'] })}
      />
      <TagsInput
        label={t('contact_import.tags')}
        maxTags={20}
        splitChars={[',', ';', '|']}
        value={choices.tags}
        onChange={(tags) => onChange({ tags })}
      />
      {mayAdd && maySee && corporationId !== null && (
        <ReferenceSelect
          label={t('contact_import.list')}
          to={numberList}
          within={{ corporation_id: corporationId }}
          value={choices.number_list_id}
          onChange={(number_list_id) => onChange({ number_list_id })}
        />
      )}
    </SimpleGrid>
  );
}
