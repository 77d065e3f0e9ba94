import { contactField } from '@heliograph/contract/audience/contact-field';
import { fieldKeysIn } from '@heliograph/contract/journeys/journey-definition';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { Button, Group, Menu, Stack, Textarea, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';
import { ReferenceSelect } from '../../resource/reference.tsx';
import type { Of } from './step-fields.tsx';

/** Fields of a message: the sender ID, the text, and words for people who lack a value that the text uses. */
export function MessageFields({ step, corporationId, errorOf, onChange }: Of<'message'>) {
  const { t } = useTranslation();
  const may = useMay(contactField.permissions.index);
  const known = useQuery({
    queryKey: ['contact-fields', 'of', corporationId],
    queryFn: ({ signal }) =>
      call(contactField.list, { query: { corporation_id: corporationId, per_page: 100, sort: 'created_at' }, signal }),
    enabled: may && corporationId > 0,
  });
  const fields = known.data?.data ?? [];
  const text = useRef<HTMLTextAreaElement>(null);
  const used = [...new Set(fieldKeysIn(step.text))];
  const insert = (key: string) => {
    const { selectionStart: from, selectionEnd: to } = text.current ?? {};
    const [start, end] = [from ?? step.text.length, to ?? step.text.length];
    onChange({ ...step, text: `${step.text.slice(0, start)}{${key}}${step.text.slice(end)}` });
  };
  return (
    <Stack gap="xs">
      <ReferenceSelect
        to={senderId}
        within={{ corporation_id: corporationId }}
        label={t('journeys.sender')}
        value={step.sender_id || null}
        error={errorOf('sender_id')}
        onChange={(id) => onChange({ ...step, sender_id: id ?? 0 })}
      />
      <Textarea
        ref={text}
        label={t('journeys.text')}
        description={t('journeys.text_hint')}
        autosize
        minRows={2}
        maxLength={1_000}
        value={step.text}
        error={errorOf('text')}
        onChange={(event) => onChange({ ...step, text: event.currentTarget.value })}
      />
      <Group>
        <Menu position="bottom-start" withinPortal>
          <Menu.Target>
            <Button size="compact-xs" variant="subtle" leftSection={<IconPlus size={12} aria-hidden />}>
              {t('journeys.insert')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {[{ key: 'name', name: t('journeys.person_name') }, ...fields].map(({ key, name }) => (
              <Menu.Item key={key} onClick={() => insert(key)}>
                {name} <code>{`{${key}}`}</code>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      {step.text.includes('{name}') && (
        <TextInput
          label={t('journeys.nameless')}
          maxLength={60}
          value={step.nameless}
          error={errorOf('nameless')}
          onChange={(event) => onChange({ ...step, nameless: event.currentTarget.value })}
        />
      )}
      {used.map((key) => (
        <TextInput
          key={key}
          label={t('journeys.valueless', { field: fields.find((field) => field.key === key)?.name ?? `{${key}}` })}
          maxLength={60}
          value={step.defaults[key] ?? ''}
          error={errorOf(`defaults.${key}`)}
          onChange={(event) => onChange({ ...step, defaults: { ...step.defaults, [key]: event.currentTarget.value } })}
        />
      ))}
    </Stack>
  );
}
