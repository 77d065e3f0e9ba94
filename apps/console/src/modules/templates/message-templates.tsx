import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import type { LanguageText } from '@heliograph/contract/templates/language-texts';
import { messageTemplate } from '@heliograph/contract/templates/message-template';
import { Button, Stack, Text } from '@mantine/core';
import { IconHistory, IconSend } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { useContactFields } from '../audience/index.ts';
import { LanguageTexts } from './language-texts.tsx';
import {
  type Template,
  TemplateDecision,
  TemplateHistory,
  TemplateState,
  useSubmit,
  VERDICT_ICONS,
  type Verdict,
  verdictsOf,
} from './template-decision.tsx';
import { Languages, TextBubble, TextMeasure } from './text-measure.tsx';

const Field = fieldsOf(messageTemplate.create);

/** Screen of the templates for the campaigns of a department. */
export function MessageTemplates() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const maySend = useMay('campaigns-create');
  const mayEdit = useMay(messageTemplate.permissions.edit);
  const mayShow = useMay(messageTemplate.permissions.show);
  const mayDecide = useMay('sender-ids-decide');
  const submit = useSubmit();
  const [deciding, setDeciding] = useState<{ templates: readonly Template[]; verdict: Verdict } | null>(null);
  const [shown, setShown] = useState<Template | null>(null);
  return (
    <>
      <ResourceList<typeof messageTemplate>
        resource={messageTemplate}
        columns={[
          'name',
          {
            field: 'template',
            width: 340,
            keep: true,
            cell: (row) => (
              <Stack gap={4} py={4}>
                <Text size="sm" lineClamp={2} title={row.template}>
                  {row.template}
                </Text>
                <TextMeasure text={row.template} />
                <Languages of={row} />
                {row.approved_text !== null && row.approved_text !== row.template && (
                  <Text size="xs" c="dimmed" lineClamp={2} title={row.approved_text}>
                    {t('templates.still', { text: row.approved_text })}
                  </Text>
                )}
              </Stack>
            ),
          },
          {
            field: 'state',
            cell: (row) => <TemplateState template={row} />,
            csv: (row) => t(`template_state.${row.state}`),
          },
          'department_name',
          'corporation_name',
          {
            field: 'parameters',
            hidden: true,
            cell: (row) => row.parameters.join(', '),
            csv: (row) => row.parameters.join(', '),
          },
          {
            field: 'language_texts',
            hidden: true,
            cell: (row) => row.language_texts.map(({ language }) => language).join(', '),
            csv: (row) => row.language_texts.map(({ language, text }) => `${language}: ${text}`).join('\n'),
          },
          { field: 'created_at', hidden: true },
        ]}
        filters={[
          { field: 'corporation_id', to: corporation },
          { field: 'department_id', to: department, within: 'corporation_id' },
          { field: 'state', words: 'template_state' },
        ]}
        rowActions={(row) => [
          ...(maySend
            ? [
                {
                  label: t('templates.use'),
                  icon: <IconSend size={16} stroke={1.6} />,
                  onClick: () => void navigate({ to: '/send-sms', search: { template: String(row.id) } }),
                },
              ]
            : []),
          ...(mayEdit && (row.state === 'draft' || row.state === 'rejected')
            ? [{ label: t('sender.submit'), icon: VERDICT_ICONS.approve, onClick: () => submit(row) }]
            : []),
          ...verdictsOf(row).map((verdict) => ({
            label: t(`templates.decide.${verdict}.action`),
            icon: VERDICT_ICONS[verdict],
            onClick: () => setDeciding({ templates: [row], verdict }),
          })),
          ...(mayShow
            ? [
                {
                  label: t('templates.history'),
                  icon: <IconHistory size={16} stroke={1.6} />,
                  onClick: () => setShown(row),
                },
              ]
            : []),
        ]}
        bulk={
          mayDecide
            ? (rows) =>
                (['approve', 'reject'] as const).map((verdict) => {
                  const templates = rows.filter((row) => verdictsOf(row).includes(verdict));
                  return (
                    templates.length > 0 && (
                      <Button
                        key={verdict}
                        variant="default"
                        leftSection={VERDICT_ICONS[verdict]}
                        onClick={() => setDeciding({ templates, verdict })}
                      >
                        {t(`templates.decide.${verdict}.action`)}
                      </Button>
                    )
                  );
                })
            : undefined
        }
        form={
          <>
            <Field.Reference name="corporation_id" to={corporation} />
            <Field.Reference name="department_id" to={department} within="corporation_id" />
            <Field.Text name="name" autoFocus />
            <Field.Textarea name="template" rows={5} />
            <Preview />
            <TemplateLanguages />
            <Field.Tags name="parameters" />
          </>
        }
      />
      {deciding && <TemplateDecision {...deciding} onClose={() => setDeciding(null)} />}
      {shown && <TemplateHistory template={shown} onClose={() => setShown(null)} />}
    </>
  );
}

/** Preview of the text that is being written, with its parts. */
function Preview() {
  const { values } = useFormState();
  const text = String(values['template'] ?? '');
  return text.trim() === '' ? null : <TextPreview text={text} />;
}

/** Texts by language of the template that is being written, if the corporation has a field for the language of contacts. */
function TemplateLanguages() {
  const { values, row, errors, set } = useFormState();
  const fields = useContactFields(row?.['corporation_id'] ?? values['corporation_id']);
  return (
    <LanguageTexts
      value={(values['language_texts'] ?? []) as LanguageText[]}
      field={fields.length === 0 ? undefined : (fields.find(({ is_language }) => is_language) ?? null)}
      faults={errors}
      below={(text) => <TextPreview text={text} />}
      onChange={(texts) => set('language_texts', texts)}
    />
  );
}

function TextPreview({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <Stack gap={8} component="section" aria-label={t('compose.aside')}>
      <TextBubble text={text} />
      <TextMeasure text={text} />
    </Stack>
  );
}
