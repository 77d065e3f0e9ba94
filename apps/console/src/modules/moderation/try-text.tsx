import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { tryModeration } from '@heliograph/contract/moderation/moderation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Alert, Button, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconTestPipe } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { labelOf } from '../../resource/columns.tsx';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { AskDrawer } from '../../ui/ask-drawer.tsx';

type Judged = ReplyOf<typeof tryModeration>['data'];

/** Button whose drawer asks for a text. It shows what the web domains and moderation rules do with it. */
export function TryText() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconTestPipe size={16} stroke={1.6} />} onClick={() => setOpened(true)}>
        {t('moderation.try')}
      </Button>
      {opened && <TryDrawer onClose={() => setOpened(false)} />}
    </>
  );
}

function TryDrawer(props: { onClose: () => void }) {
  const { t } = useTranslation();
  const [corporationId, setCorporationId] = useState<number | null>(null);
  const [sender, setSender] = useState('');
  const [number, setNumber] = useState('');
  const [text, setText] = useState('');
  const judge = useMutation({
    mutationFn: () => call(tryModeration, { query: { corporation_id: corporationId ?? 0, sender, text, number } }),
  });
  const faults = problemFrom(judge.error)?.errors;

  return (
    <AskDrawer
      title={t('moderation.try')}
      hint={t('moderation.try_hint')}
      submit={t('moderation.try_submit')}
      busy={judge.isPending}
      ready={corporationId !== null && sender.trim() !== '' && text.trim() !== ''}
      fault={judge.error && !faults ? sentenceOf(judge.error) : undefined}
      onAsk={() => judge.mutate()}
      onClose={props.onClose}
      answer={judge.data && <Answer {...judge.data.data} />}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <ReferenceSelect
          to={corporation}
          label={labelOf('moderation-rules', 'corporation_id')}
          required
          data-autofocus
          error={faults?.['corporation_id']?.[0]}
          value={corporationId}
          onChange={setCorporationId}
        />
        <TextInput
          label={labelOf('moderation-rules', 'sender')}
          required
          maxLength={40}
          error={faults?.['sender']?.[0]}
          value={sender}
          onChange={(event) => setSender(event.currentTarget.value)}
        />
      </SimpleGrid>
      <TextInput
        label={t('moderation.try_number')}
        description={t('moderation.try_number_hint')}
        inputMode="tel"
        maxLength={40}
        error={faults?.['number']?.[0]}
        value={number}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      <Textarea
        label={t('moderation.try_text')}
        required
        autosize
        minRows={3}
        maxLength={1_530}
        error={faults?.['text']?.[0]}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </AskDrawer>
  );
}

function Answer({ checks_links, web, passed_by, held_by }: Judged) {
  const { t } = useTranslation();
  const found = web && { domain: web.domain, reason: t(`web_link_reason.${web.reason}`) };
  return (
    <Stack gap="sm">
      {web && (
        <Alert color={web.refused ? 'red' : 'orange'} variant="light">
          {t(web.refused ? 'moderation.try_refused' : 'moderation.try_counted', { ...found })}
        </Alert>
      )}
      {!web?.refused && (
        <Alert color={held_by === null ? 'teal' : 'orange'} variant="light">
          {held_by !== null
            ? t('moderation.try_held', { rule: held_by })
            : passed_by !== null
              ? t('moderation.try_passed', { rule: passed_by })
              : t('moderation.try_free')}
        </Alert>
      )}
      {!checks_links && (
        <Text size="sm" c="dimmed">
          {t('moderation.try_unchecked')}
        </Text>
      )}
    </Stack>
  );
}
