import { mergeContacts } from '@heliograph/contract/audience/contact-merge';
import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import { Cell, labelOf } from '../../resource/columns.tsx';
import type { ContactRow } from './contacts.tsx';
import { useContactFields } from './value-fields.tsx';

type Pair = readonly [ContactRow, ContactRow];
const SHOWS = { text: 'text', choice: 'text', number: 'text', date: 'date', yes_no: 'yes-no' } as const;

/** Dialog that merges two contacts: which number stays, and whose value counts where they differ. */
export function ContactMerge(props: { pair: Pair; onDone: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { pair, onDone, onClose } = props;
  const [kept, setKept] = useState(0);
  const [chosen, setChosen] = useState<Record<string, number>>({});
  const [saving, setSaving] = useState(false);
  const fields = useContactFields(pair[0].corporation_id);
  const values = [
    { key: 'name', label: labelOf('contacts', 'name'), show: 'text' as const, of: pair.map(({ name }) => name) },
    ...fields.map(({ key, name, type }) => ({
      key,
      label: name,
      show: SHOWS[type],
      of: pair.map((row) => row.fields[key] ?? null),
    })),
  ].filter(({ of: [first, second] }) => first !== null && second !== null && first !== second);

  async function submit() {
    setSaving(true);
    try {
      const take = values.map(({ key }) => key).filter((key) => (chosen[key] ?? kept) !== kept);
      await call(mergeContacts, { params: { id: pair[kept]!.id }, body: { other_id: pair[1 - kept]!.id, take } });
      await client.invalidateQueries({ queryKey: ['contacts'] });
      onDone();
      onClose();
      void toast('success', t('contact_merge.done', { number: pair[kept]!.number }));
    } catch (error) {
      void toast('error', sentenceOf(error));
    } finally {
      setSaving(false);
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{t('contact_merge.title')}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack>
        <Text size="sm">{t('contact_merge.text')}</Text>
        <Radio.Group
          label={t('contact_merge.kept')}
          value={String(kept)}
          onChange={(value) => {
            setKept(Number(value));
            setChosen({});
          }}
        >
          <Group mt={6} gap="lg">
            {pair.map(({ id, number }, at) => (
              <Radio key={id} value={String(at)} label={number} />
            ))}
          </Group>
        </Radio.Group>
        {values.map(({ key, label, show, of }) => (
          <Radio.Group
            key={key}
            label={label}
            value={String(chosen[key] ?? kept)}
            onChange={(value) => setChosen({ ...chosen, [key]: Number(value) })}
          >
            <Group mt={6} gap="lg">
              {pair.map(({ id }, at) => (
                <Radio key={id} value={String(at)} label={<Cell show={show} value={of[at]} />} />
              ))}
            </Group>
          </Radio.Group>
        ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button loading={saving} onClick={() => void submit()}>
            {t('contact_merge.submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
