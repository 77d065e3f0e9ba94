import { curlOf, type Filled, type Target } from '@heliograph/contract/api/curl-command';
import { IDEMPOTENCY_KEY } from '@heliograph/contract/kernel/public-operation';
import { senderId } from '@heliograph/contract/senders/sender-id';
import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Code,
  CopyButton,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconCheck, IconCopy, IconPlayerPlay, IconRefresh, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useContext, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call as callConsole } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { DeskContext, KeyInput, MONO } from './test-key.tsx';
import { type Answer, isJson, missing, newName, tryCall } from './tried-call.ts';

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
const IDEMPOTENCY = 'Idempotency-Key';
const WRAPPED = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

/** Button that opens a form for one call of the reference and shows the response. */
export function TryIt({ base, target }: { base: string; target: Target }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        variant="light"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlayerPlay {...ICON} size={14} />}
        aria-expanded={open}
        aria-controls={id}
        aria-label={t('try_it.open_call', { call: target.call.summary })}
        onClick={() => setOpen(!open)}
      >
        {t('try_it.open')}
      </Button>
      <div id={id}>{open && <Trial base={base} target={target} />}</div>
    </>
  );
}

/** Returns the name of the collection in a path, such as `messages` for `/v1/messages/{id}`. */
const collectionOf = (path: string): string => path.split('/')[2] ?? '';

function Trial({ base, target }: { base: string; target: Target }) {
  const { t } = useTranslation();
  const { key, checkKey, known, learn } = useContext(DeskContext)!;
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [name, setName] = useState(newName);
  const [body, setBody] = useState<string>();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | 'none'>();
  const example = useExample(target);
  const { call, path } = target;

  const parameters = Object.fromEntries(
    call.parameters.map(({ name: each, in: place }) => {
      const given =
        place === 'path' ? known[collectionOf(path)] : each === 'client_ref' ? known['client_ref'] : undefined;
      return [each, typed[each] ?? (each === IDEMPOTENCY ? name : (given ?? ''))];
    }),
  );
  const filled: Filled = { parameters, body: call.requestBody ? (body ?? example) : undefined };
  const lacking = missing(target, filled);
  const unheard = !!parameters[IDEMPOTENCY] && !IDEMPOTENCY_KEY.test(parameters[IDEMPOTENCY]);
  const faultOf = (each: string) =>
    lacking.includes(each)
      ? t('validation.required')
      : each === IDEMPOTENCY && unheard && t('validation.idempotency_key');
  const broken = filled.body !== undefined && !isJson(filled.body);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setAsked(true);
    if (!checkKey() || lacking.length > 0 || unheard || broken) {
      // Faults are marked once they are drawn.
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    setBusy(true);
    try {
      const given = await tryCall(target, filled, key);
      setAnswer(given);
      learn({ [collectionOf(path)]: given.id, client_ref: given.client_ref });
    } catch {
      setAnswer('none');
    } finally {
      setBusy(false);
    }
  }

  return (
    <Paper
      component="form"
      className="app-card"
      p="md"
      radius="md"
      aria-label={t('try_it.open_call', { call: call.summary })}
      onSubmit={(event: FormEvent<HTMLFormElement>) => void send(event)}
      noValidate
    >
      <Stack gap="md">
        <KeyInput />
        <Parameters
          call={call}
          values={parameters}
          faultOf={(each) => asked && faultOf(each)}
          onChange={(each, value) => setTyped({ ...typed, [each]: value })}
          onRename={() => {
            setName(newName());
            setTyped(({ [IDEMPOTENCY]: _, ...rest }) => rest);
          }}
        />
        {filled.body !== undefined && (
          <Textarea
            label={t('api_reference.body')}
            lang="en"
            autosize
            minRows={3}
            maxRows={18}
            styles={MONO}
            spellCheck={false}
            error={broken && t('try_it.not_json')}
            value={filled.body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
        )}
        <Group>
          <Button type="submit" loading={busy} leftSection={<IconSend {...ICON} />}>
            {t('try_it.send')}
          </Button>
        </Group>
        <Answered answer={answer} />
        <Stack gap={6}>
          <Group justify="space-between">
            <Text size="sm" fw={600}>
              {t('try_it.command')}
            </Text>
            <Copy value={curlOf(base, target, filled)} label={t('try_it.copy_command')} />
          </Group>
          <Code block lang="en" style={WRAPPED}>
            {curlOf(base, target, filled)}
          </Code>
        </Stack>
      </Stack>
    </Paper>
  );
}

interface ParametersProps {
  call: Target['call'];
  values: Readonly<Record<string, string>>;
  faultOf: (name: string) => string | false;
  onChange: (name: string, value: string) => void;
  /** Requests a new idempotency key. */
  onRename: () => void;
}

function Parameters({ call, values, faultOf, onChange, onRename }: ParametersProps) {
  const { t } = useTranslation();
  if (call.parameters.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {call.parameters.map(({ name: each, required, schema }) => (
        <TextInput
          key={each}
          label={<span lang="en">{each}</span>}
          required={required}
          placeholder={schema.default === undefined ? '' : String(schema.default)}
          styles={MONO}
          spellCheck={false}
          autoComplete="off"
          error={faultOf(each)}
          value={values[each]}
          onChange={(event) => onChange(each, event.currentTarget.value)}
          rightSection={
            each === IDEMPOTENCY && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('try_it.another')}
                title={t('try_it.another')}
                onClick={onRename}
              >
                <IconRefresh {...ICON} />
              </ActionIcon>
            )
          }
        />
      ))}
    </SimpleGrid>
  );
}

/** Returns the example of the document, with a sender ID of the person's corporation. */
function useExample({ call }: Target): string {
  const may = useMay(senderId.permissions.index);
  const ours = useSession((s) => s.profile?.corporation_id ?? null) !== null;
  const senders = useQuery({
    queryKey: ['sender-ids', 'try-it'],
    queryFn: ({ signal }) =>
      callConsole(senderId.list, { query: { enabled: 'true', per_page: 1, sort: 'sender_id' }, signal }),
    enabled: may && ours,
    staleTime: 60_000,
  });
  const sender = senders.data?.data[0]?.sender_id;
  return useMemo(() => {
    const example = (call.requestBody?.content['application/json']?.example ?? {}) as Record<string, unknown>;
    return JSON.stringify('from' in example && sender ? { ...example, from: sender } : example, null, 2);
  }, [call, sender]);
}

function Answered({ answer }: { answer: Answer | 'none' | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const given = typeof answer === 'object' ? answer : undefined;
  return (
    <Stack gap={8}>
      <div role="status">
        {answer === 'none' && <Alert color="red">{t('try_it.no_answer')}</Alert>}
        {given && (
          <Group gap="xs">
            <Badge color={given.status < 300 ? 'teal' : given.status < 500 ? 'orange' : 'red'} variant="light">
              {given.status}
            </Badge>
            <Text size="sm" c="dimmed">
              {t('try_it.took', { time: format.integer(given.milliseconds) })}
            </Text>
            {given.replayed && <Text size="sm">{t('try_it.replayed')}</Text>}
          </Group>
        )}
      </div>
      {given && given.headers.length > 0 && (
        <Code block lang="en" style={WRAPPED}>
          {given.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        </Code>
      )}
      {given && given.text !== '' && (
        <Code
          block
          lang="en"
          mah={360}
          style={{ ...WRAPPED, overflowY: 'auto' }}
          tabIndex={0}
          role="region"
          aria-label={t('try_it.answer')}
        >
          {given.text}
        </Code>
      )}
    </Stack>
  );
}

function Copy({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={copied ? <IconCheck {...ICON} /> : <IconCopy {...ICON} />}
          onClick={copy}
        >
          {copied ? t('actions.copied') : label}
        </Button>
      )}
    </CopyButton>
  );
}
