import { department } from '@heliograph/contract/organizations/department';
import type { LanguageText } from '@heliograph/contract/templates/language-texts';
import { messageTemplate } from '@heliograph/contract/templates/message-template';
import { Button, Group, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconTemplate } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import type { Template } from './template-decision.tsx';
import classes from './templates.module.css';
import { Languages, TextBubble, TextMeasure } from './text-measure.tsx';

/** Maximum number of templates shown. More are found by the search. */
const SHOWN = 60;

interface TemplateGalleryProps {
  /** Corporation that owns the templates. While it is unknown, all templates visible to the user are offered. */
  corporationId: number | undefined;
  /** Text written so far. It is replaced only after a confirmation. */
  written: string;
  onChosen: (texts: TextsOfTemplate) => void;
}

/** Text of a template, and its texts by language. */
export interface TextsOfTemplate {
  content: string;
  language_texts: LanguageText[];
}

/** Takes a template's texts, after a question if they replace another text. */
export function takeTemplate(
  { template, language_texts }: Pick<Template, 'template' | 'language_texts'>,
  { written, onChosen }: Pick<TemplateGalleryProps, 'written' | 'onChosen'>,
  words: { title: string; text: string; confirm: string },
): void {
  const texts = { content: template, language_texts };
  if (written.trim() === '' || written === template) onChosen(texts);
  else openDialog({ ...words, onConfirm: () => onChosen(texts) });
}

/** Button and gallery of templates that start a text. Draws nothing if there are no templates. */
export function TemplateGallery(props: TemplateGalleryProps) {
  const { t } = useTranslation();
  const may = useMay(messageTemplate.permissions.index);
  const { corporationId } = props;
  const within = corporationId === undefined ? {} : { corporation_id: corporationId };
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 250);
  const [departmentId, setDepartmentId] = useState<number | null>(null);
  const any = useQuery({
    queryKey: [messageTemplate.name, 'any', corporationId],
    queryFn: ({ signal }) => call(messageTemplate.list, { query: { ...within, per_page: 1 }, signal }),
    enabled: may,
    staleTime: 60_000,
  });
  const found = useQuery({
    queryKey: [messageTemplate.name, 'gallery', corporationId, departmentId, wanted],
    queryFn: ({ signal }) =>
      call(messageTemplate.list, {
        query: {
          ...within,
          per_page: SHOWN,
          sort: 'name',
          ...(wanted && { search: wanted }),
          ...(departmentId !== null && { department_id: departmentId }),
        },
        signal,
      }),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  if (!any.data?.meta.total) return null;
  const rows = found.data?.data;

  function choose(template: Template) {
    setOpen(false);
    takeTemplate(template, props, {
      title: t('templates.replace_title'),
      text: t('templates.replace_text'),
      confirm: t('templates.replace'),
    });
  }

  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTemplate size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('resources.message-templates.many')}
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        size="xl"
        title={
          <Text fw={650} size="lg">
            {t('templates.choose')}
          </Text>
        }
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <Stack gap="md">
          <Group gap="sm" align="flex-end" grow preventGrowOverflow={false}>
            <TextInput
              type="search"
              aria-label={t('templates.search')}
              placeholder={t('templates.search')}
              leftSection={<IconSearch size={16} aria-hidden />}
              data-autofocus
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
            <ReferenceSelect
              to={department}
              within={within}
              label={t('resources.message-templates.fields.department_id')}
              value={departmentId}
              onChange={setDepartmentId}
            />
          </Group>
          {rows?.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('form.nothing_found')}
            </Text>
          )}
          <ul className={classes.gallery}>
            {rows?.map((row) => (
              <li key={row.id}>
                <UnstyledButton className={classes.card ?? ''} onClick={() => choose(row)}>
                  <Text size="sm" fw={600}>
                    {row.name}
                  </Text>
                  <TextBubble text={row.template} clamp />
                  <div className={classes.foot}>
                    <TextMeasure text={row.template} />
                    <Languages of={row} />
                    <Text size="xs" c="dimmed" mt={4}>
                      {row.department_name}
                    </Text>
                  </div>
                </UnstyledButton>
              </li>
            ))}
          </ul>
        </Stack>
      </Modal>
    </>
  );
}
