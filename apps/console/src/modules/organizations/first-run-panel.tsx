import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { askForCredit, dismissFirstRun, type firstRun } from '@heliograph/contract/organizations/first-run';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { Button, FileButton, Group, Progress, Text } from '@mantine/core';
import { IconCircleCheckFilled, IconCircleDashed, IconHourglassHigh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { QuickCreate } from '../../resource/quick-create.tsx';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { NewListForm } from '../contacts/index.ts';
import classes from './first-run.module.css';
import { FirstRunTest } from './first-run-test.tsx';

type State = NonNullable<ReplyOf<typeof firstRun>['data']>;
type Step = State['steps'][number];

const FILES = '.csv,.txt,.tsv,.tab,.xlsx';

/** Checklist that leads an account to its first campaign: one row a step, with its state and its one button. */
export function FirstRunPanel({ state }: { state: State }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const name = useSession((s) => s.profile?.name ?? '');
  const [open, setOpen] = useState<'sender' | 'test' | File | null>(null);
  const done = state.steps.filter((step) => step.done).length;
  const waits = state.waiting_sender;
  const remaining = state.steps.filter((step) => !step.done && !(step.step === 'sender' && waits));
  const next = remaining.find((step) => step.may || step.step === 'credit')?.step;
  const refresh = () => client.invalidateQueries({ queryKey: ['first-run'] });
  const close = () => {
    setOpen(null);
    void refresh();
  };

  async function act(work: () => Promise<{ message?: string | undefined }>) {
    try {
      void toast('success', (await work()).message ?? '');
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
    await refresh();
  }

  const look = (step: Step['step']) => ({ variant: step === next ? 'filled' : 'default', size: 'sm' }) as const;
  const BUTTONS: Record<Step['step'], ReactNode> = {
    company: null,
    sender: waits ? (
      <Button {...look('sender')} component={Link} to={`/sender-ids/${waits.id}`}>
        {t('first_run.sender.open')}
      </Button>
    ) : (
      <Button {...look('sender')} onClick={() => setOpen('sender')}>
        {t('first_run.sender.action')}
      </Button>
    ),
    credit: state.asked_at === null && (
      <Button {...look('credit')} onClick={() => void act(() => call(askForCredit, {}))}>
        {t('first_run.credit.action', { name: state.helper })}
      </Button>
    ),
    contacts: (
      <FileButton accept={FILES} onChange={(file) => file && setOpen(file)}>
        {(props) => (
          <Button {...look('contacts')} {...props}>
            {t('first_run.contacts.action')}
          </Button>
        )}
      </FileButton>
    ),
    test: (
      <Button {...look('test')} onClick={() => setOpen('test')}>
        {t('first_run.test.action')}
      </Button>
    ),
    campaign: (
      <Button {...look('campaign')} component={Link} to="/send-sms">
        {t('first_run.campaign.action')}
      </Button>
    ),
  };

  return (
    <Section
      title={t('first_run.title', { name: name.split(' ')[0] ?? name })}
      actions={
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {t('first_run.progress', { done, total: state.steps.length })}
          </Text>
          <Button variant="subtle" size="compact-sm" onClick={() => void act(() => call(dismissFirstRun, {}))}>
            {t('first_run.dismiss')}
          </Button>
        </Group>
      }
    >
      <Progress value={(done / state.steps.length) * 100} size="sm" aria-label={t('first_run.label')} />
      <ol className={classes.steps}>
        {state.steps.map((step) => (
          <Row key={step.step} step={step} state={state} onFile={setOpen}>
            {BUTTONS[step.step]}
          </Row>
        ))}
      </ol>
      {open === 'sender' && (
        <QuickCreate
          to={senderId}
          within={{ corporation_id: state.corporation_id }}
          name=""
          onCreated={close}
          onClose={close}
        />
      )}
      {open === 'test' && <FirstRunTest corporation={state.corporation_name} onClose={close} />}
      {open instanceof File && (
        <Suspense fallback={null}>
          <NewListForm file={open} onClose={close} />
        </Suspense>
      )}
    </Section>
  );
}

interface RowProps {
  step: Step;
  state: State;
  onFile: (file: File) => void;
  children: ReactNode;
}

function Row({ step, state, onFile, children }: RowProps) {
  const { t } = useTranslation();
  const takesFile = step.step === 'contacts' && step.may && !step.done;
  const waits = step.step === 'sender' && state.waiting_sender !== null;
  const Icon = step.done ? IconCircleCheckFilled : waits ? IconHourglassHigh : IconCircleDashed;
  return (
    <li
      className={classes.step}
      data-step={step.step}
      data-done={step.done}
      {...(takesFile && {
        onDragOver: (event) => event.preventDefault(),
        onDrop: (event) => {
          event.preventDefault();
          const [file] = event.dataTransfer.files;
          if (file) onFile(file);
        },
      })}
    >
      <Icon
        size={22}
        stroke={1.6}
        className={classes.mark}
        role="img"
        aria-label={t(step.done ? 'first_run.done' : waits ? 'first_run.waiting' : 'first_run.open')}
      />
      <div className={classes.words}>
        <Text size="sm" fw={600}>
          {t(`first_run.${step.step}.name`)}
        </Text>
        <Text size="sm" c="dimmed">
          <Detail step={step} state={state} />
        </Text>
      </div>
      {!step.done && (step.may || step.step === 'credit') && <div className={classes.button}>{children}</div>}
    </li>
  );
}

/** Second line of a step: its value once it is done, who can help if the caller may not, otherwise what it is for. */
function Detail({ step, state }: { step: Step; state: State }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { corporation_name, currency, timezone, balance, helper, administrator } = state;
  const money = balance === null ? null : format.money(balance, currency);
  if (step.step === 'company') return `${corporation_name} · ${currency} · ${timezone}`;
  if (step.step === 'credit') {
    if (money === null) return t('first_run.credit.no_account', { name: helper });
    if (step.done) return money;
    return state.asked_at === null
      ? `${money} · ${t('first_run.credit.text')}`
      : `${money} · ${t('first_run.credit.asked', { name: helper, time: format.instant(state.asked_at) })}`;
  }
  if (step.step === 'sender' && state.waiting_sender)
    return t('first_run.sender.waits', { name: state.waiting_sender.sender_id, by: state.waiting_sender.by });
  if (!step.done && !step.may) return t('first_run.ask', { name: administrator ?? t('first_run.administrator') });
  return t(`first_run.${step.step}.text`);
}
