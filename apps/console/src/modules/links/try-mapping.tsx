import type { BodyInput, ReplyOf } from '@heliograph/contract/kernel/operation';
import { TRY_KINDS, tryMapping } from '@heliograph/contract/links/http-calls';
import { Alert, Button, Code, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconTestPipe } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { useFormState } from '../../resource/form.tsx';
import type { Values } from '../../resource/form-values.ts';
import { AskDrawer } from '../../ui/ask-drawer.tsx';
import { useMapping } from './http-inputs.tsx';

type Tried = ReplyOf<typeof tryMapping>['data'];

/** Button whose drawer shows the request of a message, and what the mapping reads in a pasted text. */
export function TryMapping() {
  const { t } = useTranslation();
  const { values } = useFormState();
  const mapping = useMapping();
  const [opened, setOpened] = useState(false);
  const complete = tryMapping.body.shape.http.safeParse(mapping).success;
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconTestPipe size={16} stroke={1.6} aria-hidden />}
        disabled={!complete}
        onClick={() => setOpened(true)}
      >
        {t('link_http_words.try')}
      </Button>
      {opened && <TryDrawer values={values} onClose={() => setOpened(false)} />}
    </div>
  );
}

function TryDrawer({ values, onClose }: { values: Values; onClose: () => void }) {
  const { t } = useTranslation();
  const [to, setTo] = useState('639170000001');
  const [sender, setSender] = useState('Sender');
  const [text, setText] = useState('Hello');
  const [kind, setKind] = useState<(typeof TRY_KINDS)[number]>('answer');
  const [status, setStatus] = useState('200');
  const [said, setSaid] = useState('');
  const asked = useMutation({
    mutationFn: () => {
      const { http, receipt_words, long_messages } = values as unknown as BodyInput<typeof tryMapping>;
      const body = { http, receipt_words, long_messages, to, sender, text, kind, status: Number(status), said };
      return call(tryMapping, { body });
    },
  });
  const faults = problemFrom(asked.error)?.errors;
  return (
    <AskDrawer
      title={t('link_http_words.try')}
      hint={t('link_http_words.try_hint')}
      submit={t('link_http_words.try_submit')}
      busy={asked.isPending}
      ready={text.trim() !== '' && to !== '' && sender !== ''}
      fault={asked.error && !faults ? sentenceOf(asked.error) : undefined}
      onAsk={() => asked.mutate()}
      onClose={onClose}
      answer={asked.data && <Answer {...asked.data.data} />}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t('link_http_words.try_to')}
          required
          inputMode="tel"
          data-autofocus
          error={faults?.['to']?.[0]}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <TextInput
          label={t('link_http_words.try_sender')}
          required
          maxLength={20}
          error={faults?.['sender']?.[0]}
          value={sender}
          onChange={(event) => setSender(event.currentTarget.value)}
        />
      </SimpleGrid>
      <Textarea
        label={t('link_http_words.try_text')}
        required
        autosize
        maxLength={1_600}
        error={faults?.['text']?.[0]}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('link_http_words.try_kind')}
          allowDeselect={false}
          data={TRY_KINDS.map((value) => ({ value, label: t(`link_http_words.try_kinds.${value}`) }))}
          value={kind}
          onChange={(value) => value && setKind(value as typeof kind)}
        />
        {kind === 'answer' && (
          <TextInput
            label={t('link_http_words.try_status')}
            inputMode="numeric"
            error={faults?.['status']?.[0]}
            value={status}
            onChange={(event) => setStatus(event.currentTarget.value)}
          />
        )}
      </SimpleGrid>
      <Textarea
        label={t('link_http_words.try_said')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={20_000}
        spellCheck={false}
        value={said}
        onChange={(event) => setSaid(event.currentTarget.value)}
      />
    </AskDrawer>
  );
}

function Answer({ requests, answer, read }: Tried) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      {requests.map(({ method, url, headers, body }) => (
        <Code block key={url + body} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {[`${method} ${url}`, ...headers.map(({ name, value }) => `${name}: ${value}`), '', body].join('\n').trim()}
        </Code>
      ))}
      {answer && (
        <Alert color={answer.means === 'accepted' ? 'teal' : 'orange'} variant="light">
          {[
            `${t('link_http_words.try_means')}: ${t(`link_http_meaning.${answer.means}`)}`,
            answer.id && t('link_http_words.try_id', { id: answer.id }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Alert>
      )}
      {read?.length === 0 && (
        <Alert color="orange" variant="light">
          {t('link_http_words.try_nothing')}
        </Alert>
      )}
      {read?.map((values) => (
        <Alert key={JSON.stringify(values)} color="teal" variant="light">
          {Object.entries(values).map(([name, value]) => (
            <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>{`${name}: ${value}`}</Text>
          ))}
        </Alert>
      ))}
    </Stack>
  );
}
