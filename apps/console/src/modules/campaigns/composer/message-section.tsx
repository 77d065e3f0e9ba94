import type { testSend } from '@heliograph/contract/campaigns/quote';
import type { MergeField } from '@heliograph/contract/kernel/merge-fields';
import type { BodyInput } from '@heliograph/contract/kernel/operation';
import { Badge, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../platform/session.ts';
import { Section } from '../../../ui/section.tsx';
import { TemplateSelect } from '../../templates/index.ts';
import { type Draft, edit, hasOwnTexts } from './draft.ts';
import type { Measured } from './measure.ts';
import { MessageEditor } from './message-editor.tsx';
import { SaveTemplate } from './save-template.tsx';
import { TestSend } from './test-send.tsx';
import type { Recipient } from './use-recipients.ts';

type Test = Omit<BodyInput<typeof testSend>, 'number'>;

/** Section for the text, which is written here or comes from the file. */
export function MessageSection(props: {
  draft: Draft;
  corporationId: number | undefined;
  measured: Measured;
  /** Fields for which recipients have values. */
  fields: readonly MergeField[];
  recipient: Recipient | undefined;
  test: Test;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  const mayTest = useMay('campaigns-test');
  const { draft, measured, recipient } = props;
  const own = hasOwnTexts(draft);
  const name =
    recipient && (recipient.values.name ? `${recipient.values.name}, ${recipient.number}` : recipient.number);
  return (
    <Section title={t('compose.message')}>
      {own ? (
        <OwnTexts column={draft.file?.columns[draft.columns.indexOf('content')] ?? ''} measured={measured} />
      ) : (
        <>
          <TemplateSelect
            corporationId={props.corporationId}
            written={draft.content}
            onChosen={(text) => edit({ content: text })}
          />
          <MessageEditor
            value={draft.content}
            onChange={(value) => edit({ content: value })}
            measured={measured}
            fields={props.fields}
            error={props.error}
          />
        </>
      )}
      <Group justify="flex-end" gap="xs">
        {!own && <SaveTemplate corporationId={props.corporationId} text={draft.content} />}
        {mayTest && (
          <TestSend
            content={props.test}
            recipient={name}
            disabled={
              draft.sender_id === null || props.test.content?.trim() === '' || measured.compiled.unknown.length > 0
            }
          />
        )}
      </Group>
    </Section>
  );
}

/** Note that names the column with the texts, and measures the text shown. */
function OwnTexts({ column, measured }: { column: string; measured: Measured }) {
  const { t } = useTranslation();
  const { encoding, parts, units } = measured.segments;
  return (
    <Stack gap="xs">
      <Text size="sm">{t('compose.own_texts', { column })}</Text>
      <Group gap="sm">
        <Badge variant="light" color={encoding === 'gsm' ? 'teal' : 'orange'} tt="none" size="md">
          {t(`encoding.${encoding}`)}
        </Badge>
        <Text size="sm" fw={600}>
          {t('meter.parts', { count: parts.length })}
        </Text>
        <Text size="sm" c="dimmed">
          {t('meter.used', { units })}
        </Text>
      </Group>
    </Stack>
  );
}
