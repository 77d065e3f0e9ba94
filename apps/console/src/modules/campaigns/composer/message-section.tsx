import { Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../ui/section.tsx';
import { ApprovedText, LanguageTexts, TemplateGallery } from '../../templates/index.ts';
import { Defaults } from './defaults.tsx';
import { edit, hasOwnTexts } from './draft.ts';
import type { Measured } from './measure.ts';
import { MessageEditor } from './message-editor.tsx';
import { SaveTemplate } from './save-template.tsx';
import { MeterFacts } from './segment-meter.tsx';
import { SenderSelect } from './sender-select.tsx';
import type { Composition } from './use-composition.ts';
import type { OfferedField } from './use-recipients.ts';

/** Section for the sender and the text, which is written here or comes from the file. */
export function MessageSection(props: {
  of: Composition;
  /** Fields for which recipients have values. */
  fields: readonly OfferedField[];
}) {
  const { t } = useTranslation();
  const { of, fields } = props;
  const { draft, measured, faults, limits } = of;
  const corporationId = of.sender?.corporation_id ?? of.lists.corporationId;
  const columns = new Map<string, string>([
    ...limits.contactFields.map(({ key, name }) => [key, name] as const),
    ...fields.flatMap(({ field, column }) => (column ? [[field, column] as const] : [])),
  ]);
  const used = of.used;
  const own = hasOwnTexts(draft);
  return (
    <Section
      title={t('compose.message')}
      actions={
        !own &&
        !limits.templatesOnly && (
          <Group gap="xs">
            <TemplateGallery corporationId={corporationId} written={draft.content} onChosen={edit} />
            {draft.content.trim() !== '' && (
              <SaveTemplate corporationId={corporationId} text={draft.content} languageTexts={draft.language_texts} />
            )}
          </Group>
        )
      }
    >
      <SenderSelect value={draft.sender_id} corporationId={of.lists.corporationId} error={faults['sender_id']} />
      {own ? (
        <OwnTexts column={draft.file?.columns[draft.columns.indexOf('content')] ?? ''} measured={measured} />
      ) : limits.templatesOnly ? (
        <ApprovedText
          corporationId={corporationId}
          sender={of.sender?.sender_id ?? ''}
          text={draft.content}
          onChange={edit}
          error={faults['content']}
        />
      ) : (
        <MessageEditor
          value={draft.content}
          onChange={write}
          measured={measured}
          partsOf={of.partsOf}
          modelFor={limits.textModel ? draft.sender_id : null}
          fields={fields}
          contactFields={limits.contactFields}
          error={faults['content']}
        />
      )}
      {!own && (!limits.templatesOnly || draft.language_texts.length > 0) && (
        <LanguageTexts
          value={draft.language_texts}
          field={limits.language}
          faults={faults}
          below={(text) => (
            <Group gap="sm">
              <MeterFacts {...of.measureOf(text).segments} />
            </Group>
          )}
          onChange={(language_texts) => edit({ language_texts })}
        />
      )}
      {used.length > 0 && <Defaults draft={draft} fields={used} columns={columns} errors={faults} />}
    </Section>
  );
}

const write = (content: string) => edit({ content });

/** Note that names the column with the texts, and measures the text shown. */
function OwnTexts({ column, measured }: { column: string; measured: Measured }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Text size="sm">{t('compose.own_texts', { column })}</Text>
      <Group gap="sm">
        <MeterFacts {...measured.segments} />
      </Group>
    </Stack>
  );
}
