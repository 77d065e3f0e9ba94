import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import {
  LINE_COLUMNS,
  languageFile,
  languageLine,
  restoreLanguageLine,
  uploadLanguageLines,
} from '@heliograph/contract/settings/language-line';
import { Button } from '@mantine/core';
import { IconDownload, IconRestore } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { openFile } from '../../platform/open-file.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { useBulkUpload } from '../../resource/bulk-upload.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(languageLine.create);
/** Example for the file of lines. */
const SAVE: Partial<Record<Locale, string>> = { cn: '保存', zh: '儲存', fp: 'I-save' };
const ICON = { size: 16, stroke: 1.6 } as const;

/** Screen of all texts of the console, in each language. */
export function Languages() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { i18n } = useTranslation();
  // Two languages are compared side by side; the others can be shown as columns.
  const beside = i18n.language === 'en' ? 'cn' : i18n.language;
  const mayEdit = useMay(languageLine.permissions.edit);
  const bulk = useBulkUpload({
    resource: languageLine,
    operation: uploadLanguageLines,
    title: t('resources.languages.bulk'),
    columns: LINE_COLUMNS,
    required: LINE_COLUMNS,
    sample: [['actions', 'save', ...LOCALES.map((locale) => SAVE[locale] ?? 'Save')].join()],
  });

  async function restore(id: number) {
    try {
      await call(restoreLanguageLine, { params: { id } });
      await client.invalidateQueries({ queryKey: [languageLine.name] });
      void toast('success', t('resources.languages.restored'));
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
  }

  return (
    <ResourceList
      resource={languageLine}
      header={{
        subtitle: t('resources.languages.subtitle'),
        actions: (
          <>
            <Button
              variant="default"
              leftSection={<IconDownload {...ICON} />}
              onClick={() => void openFile(languageFile.path, 'language-lines.csv')}
            >
              {t('resources.languages.file')}
            </Button>
            {bulk.button}
          </>
        ),
      }}
      columns={[
        'group',
        'key',
        ...LOCALES.map((field) => ({ field, hidden: field !== 'en' && field !== beside })),
        'edited',
        { field: 'built_in', hidden: true },
      ]}
      filters={['group', 'edited', 'built_in']}
      form={
        <>
          <Field.Text name="group" autoFocus />
          <Field.Text name="key" />
          {LOCALES.map((locale) => (
            <Field.Textarea key={locale} name={locale} rows={2} />
          ))}
        </>
      }
      rowActions={(row) =>
        mayEdit && row.built_in && row.edited
          ? [
              {
                label: t('resources.languages.restore'),
                icon: <IconRestore {...ICON} />,
                onClick: () => void restore(row.id),
              },
            ]
          : []
      }
    >
      {bulk.panel}
    </ResourceList>
  );
}
