import { permission } from '@heliograph/contract/access/permission';
import { article, articleTexts, TRANSLATED } from '@heliograph/contract/documentation/article';
import type { BodyInput } from '@heliograph/contract/kernel/operation';
import { LOCALE_NAMES } from '@heliograph/contract/kernel/scope';
import { Button, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconLanguage, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { LoadError } from '../../resource/load-error.tsx';
import { RichTextField } from './rich-text-field.tsx';

const Field = fieldsOf(article.create);
type Translations = NonNullable<BodyInput<typeof article.createOne>['translations']>;
type Written = 'en' | (typeof TRANSLATED)[number];

/** Page that creates or edits an article: its text in each language, then its place and its readers. */
export const ArticleForm = () => (
  <FormPage
    resource={article}
    groups={{
      text: <Texts />,
      place: (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Reference name="parent_id" to={article} filter={{ is_parent: true }} />
            <Field.Number name="position" />
          </SimpleGrid>
          <Field.Reference name="permission_id" to={permission} />
          <Field.Switch name="is_parent" />
        </>
      ),
    }}
  />
);

/** Title and text of an article in each language. */
function Texts() {
  const { t } = useTranslation();
  const form = useFormState();
  const id = form.row === null ? null : Number(form.row['id']);
  const [language, setLanguage] = useState<Written>('en');
  const kept = useQuery({
    queryKey: ['articles', 'texts', id],
    queryFn: ({ signal }) => call(articleTexts, { params: { id: id! }, signal }),
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
  });
  const texts = id === null ? { description: '', translations: {} } : kept.data?.data;
  return (
    <>
      <SegmentedControl
        aria-label={t('editor.language')}
        value={language}
        onChange={(chosen) => setLanguage(chosen as Written)}
        data={(['en', ...TRANSLATED] as const).map((value) => ({ value, label: LOCALE_NAMES[value] }))}
      />
      {kept.error && <LoadError error={kept.error} retry={() => void kept.refetch()} />}
      {!texts && !kept.error && <Skeleton h={340} />}
      {texts && language === 'en' && (
        <>
          <Field.Text name="title" autoFocus />
          <RichTextField
            label={labelOf('articles', 'description')}
            value={(form.values['description'] as string | undefined) ?? texts.description}
            onChange={(html) => form.set('description', html)}
            error={form.errors['description']}
          />
        </>
      )}
      {texts && language !== 'en' && (
        <Translation key={language} locale={language} kept={texts.translations as Translations} />
      )}
    </>
  );
}

/** Translation of an article into another language, or a button to add one. */
function Translation({ locale, kept }: { locale: (typeof TRANSLATED)[number]; kept: Translations }) {
  const { t } = useTranslation();
  const form = useFormState();
  const changed = (form.values['translations'] as Translations | undefined) ?? {};
  const words = changed[locale] === undefined ? kept[locale] : changed[locale];
  const set = (next: Translations[typeof locale]) => form.set('translations', { ...changed, [locale]: next });
  if (!words)
    return (
      <Stack align="flex-start" gap="xs">
        <Text size="sm" c="dimmed">
          {t('editor.not_translated')}
        </Text>
        <Button
          variant="default"
          leftSection={<IconLanguage size={16} stroke={1.6} />}
          onClick={() => set({ title: String(form.values['title'] ?? ''), description: '' })}
        >
          {t('editor.translate')}
        </Button>
      </Stack>
    );
  return (
    <>
      <TextInput
        label={labelOf('articles', 'title')}
        required
        error={form.errors[`translations.${locale}.title`]}
        value={words.title}
        onChange={(event) => set({ ...words, title: event.currentTarget.value })}
      />
      <RichTextField
        label={labelOf('articles', 'description')}
        value={words.description}
        onChange={(description) => set({ ...words, description })}
        error={form.errors[`translations.${locale}.description`]}
      />
      <Group justify="flex-end">
        <Button
          variant="subtle"
          color="red.8"
          size="xs"
          leftSection={<IconTrash size={14} stroke={1.6} />}
          onClick={() => set(null)}
        >
          {t('editor.remove_translation')}
        </Button>
      </Group>
    </>
  );
}
