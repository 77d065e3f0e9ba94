import { department } from '@heliograph/contract/organizations/department';
import type { LanguageText } from '@heliograph/contract/templates/language-texts';
import { messageTemplate } from '@heliograph/contract/templates/message-template';
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../../platform/problem.ts';
import { useMay, useSession } from '../../../platform/session.ts';
import { toast } from '../../../platform/toast.ts';
import { ReferenceSelect } from '../../../resource/reference.tsx';

/** Form that saves the text as a template of a department for later campaigns. */
export function SaveTemplate(props: {
  corporationId: number | undefined;
  text: string;
  languageTexts: readonly LanguageText[];
}) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const allowed = useMay(messageTemplate.permissions.create);
  const own = useSession((s) => s.profile);
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const home = own?.corporation_id === props.corporationId ? (own?.department_id ?? null) : null;
  const [chosen, setChosen] = useState<number | null>(null);
  const departmentId = chosen ?? home;
  const save = useMutation({
    mutationFn: () =>
      call(messageTemplate.createOne, {
        body: {
          corporation_id: props.corporationId ?? 0,
          department_id: departmentId ?? 0,
          name: name.trim(),
          template: props.text,
          language_texts: [...props.languageTexts],
        },
      }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [messageTemplate.name] });
      void toast('success', t('compose.template_saved', { name: name.trim() }));
      setOpen(false);
    },
  });
  if (!allowed || props.corporationId === undefined) return null;
  const errors = problemFrom(save.error)?.errors ?? {};

  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate();
  }

  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        leftSection={<IconDeviceFloppy size={16} aria-hidden />}
        disabled={props.text.trim() === ''}
        onClick={() => {
          save.reset();
          setOpen(true);
        }}
      >
        {t('compose.template_save')}
      </Button>
      <Modal opened={open} onClose={() => setOpen(false)} title={t('compose.template_save')}>
        <form onSubmit={submit}>
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {t('compose.template_hint')}
            </Text>
            <TextInput
              label={t('resources.message-templates.fields.name')}
              data-autofocus
              maxLength={100}
              value={name}
              error={errors['name']?.[0]}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            {home === null && (
              <ReferenceSelect
                to={department}
                within={{ corporation_id: props.corporationId }}
                label={t('resources.message-templates.fields.department_id')}
                value={chosen}
                error={errors['department_id']?.[0]}
                onChange={setChosen}
              />
            )}
            {save.error && Object.keys(errors).length === 0 && (
              <Alert color="red" variant="light" role="alert">
                {sentenceOf(save.error)}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button type="submit" loading={save.isPending} disabled={name.trim() === '' || departmentId === null}>
                {t('actions.save')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
