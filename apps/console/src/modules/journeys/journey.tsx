import {
  dryRunJourney,
  journey,
  journeyFigures,
  pauseJourney,
  publishJourney,
  resumeJourney,
  startJourney,
  stopJourney,
} from '@heliograph/contract/journeys/journey';
import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconEdit, IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { readAgain } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { labelOf } from '../../resource/columns.tsx';
import { ResourceForm } from '../../resource/form.tsx';
import { OneRecord } from '../../resource/one-record.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { Fact } from '../../ui/fact.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { DryRun } from './dry-run.tsx';
import { JourneyForm } from './journey-form.tsx';
import { JourneyPicture } from './journey-picture.tsx';
import { useJourneyWords } from './journey-voice.ts';
import { type JourneyRow, JourneyState } from './journeys.tsx';
import { columnsOf } from './picture-layout.ts';
import { type Figures, StepFigures } from './step-figures.tsx';

/** Interval of reads while a journey runs, in ms. */
const REFRESH_MS = 5_000;
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Page of one journey: its state, steps with their figures, picture, dry run and versions. */
export function JourneyPage() {
  const { t } = useTranslation();
  return (
    <OneRecord
      name="journeys"
      operation={journey.get}
      notFound={t('journeys.not_there')}
      refreshEvery={(row) => (row?.state === 'running' ? REFRESH_MS : false)}
    >
      {(row) => <Loaded row={row} />}
    </OneRecord>
  );
}

function Loaded({ row }: { row: JourneyRow }) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const mayEdit = useMay(journey.permissions.edit) && row.abilities.edit;
  const mayTry = useMay(dryRunJourney.permission) && row.abilities.edit;
  const { triggerWords } = useJourneyWords();
  const { data } = useQuery({
    queryKey: ['journeys', 'figures', row.id],
    queryFn: ({ signal }) => call(journeyFigures, { params: { id: row.id }, signal }),
    staleTime: 0,
    refetchInterval: row.state === 'running' ? REFRESH_MS : false,
  });
  const figures = data?.data;
  const waitingAt = (step: number) => figures?.steps.find((each) => each.step === step)?.waiting ?? 0;
  return (
    <>
      <PageHeader
        title={<span style={{ overflowWrap: 'anywhere' }}>{row.name}</span>}
        subtitle={triggerWords(row.definition.trigger, row.names)}
        crumbs={[{ label: t('menu.journeys'), to: '/journeys' }]}
        actions={
          <>
            <RunActions row={row} people={figures?.under_way ?? 0} />
            {mayEdit && (
              <Button variant="default" leftSection={<IconEdit {...ICON} />} onClick={() => setEditing(true)}>
                {t('journeys.edit')}
              </Button>
            )}
          </>
        }
      />
      <Stack gap="md">
        {row.pause_reason !== null && (
          <Alert color="yellow" variant="light">
            {t(`journey_pause.${row.pause_reason}`)}
          </Alert>
        )}
        {row.changed && row.version !== null && (
          <Alert variant="light">{t('journeys.unpublished', { version: row.version })}</Alert>
        )}
        <About row={row} figures={figures} />
        <SimpleGrid
          cols={{ base: 1, lg: columnsOf(row.definition.steps) > 2 ? 1 : 2 }}
          spacing="md"
          style={{ alignItems: 'start' }}
        >
          <Section title={t('journeys.steps')}>
            <StepFigures steps={row.definition.steps} names={row.names} figures={figures} currency={row.currency} />
          </Section>
          <Section title={t('journeys.picture')}>
            <JourneyPicture definition={row.definition} names={row.names} waitingAt={waitingAt} />
          </Section>
        </SimpleGrid>
        {mayTry && <DryRun row={row} />}
        {figures && figures.versions.length > 0 && <Versions figures={figures} />}
      </Stack>
      {editing && (
        <ResourceForm resource={journey} row={row} size={1040} onClose={() => setEditing(false)}>
          <JourneyForm />
        </ResourceForm>
      )}
    </>
  );
}

function RunActions({ row, people }: { row: JourneyRow; people: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { busy, run } = useAction();
  const mayRun = useMay(startJourney.permission);
  if (!mayRun) return null;
  const act = (operation: typeof startJourney) => () =>
    void run(async () => {
      await call(operation, { params: { id: row.id } });
      await readAgain(['journeys']);
    });
  const askToStop = () =>
    openDialog({
      title: t('journeys.stop_title'),
      text: t('journeys.stop_text', { people: format.integer(people) }),
      confirm: t('journeys.stop'),
      danger: true,
      onConfirm: act(stopJourney),
    });
  const shared = { loading: busy, variant: 'default' } as const;
  const under = row.state === 'running' || row.state === 'paused';
  return (
    <>
      {(row.state === 'draft' || row.state === 'stopped') && (
        <Button loading={busy} leftSection={<IconPlayerPlay {...ICON} />} onClick={act(startJourney)}>
          {t('journeys.start')}
        </Button>
      )}
      {under && row.changed && (
        <Button loading={busy} leftSection={<IconUpload {...ICON} />} onClick={act(publishJourney)}>
          {t('journeys.publish')}
        </Button>
      )}
      {row.state === 'running' && (
        <Button {...shared} leftSection={<IconPlayerPause {...ICON} />} onClick={act(pauseJourney)}>
          {t('journeys.pause')}
        </Button>
      )}
      {row.state === 'paused' && (
        <Button {...shared} leftSection={<IconPlayerPlay {...ICON} />} onClick={act(resumeJourney)}>
          {t('journeys.resume')}
        </Button>
      )}
      {under && (
        <Button {...shared} leftSection={<IconPlayerStop {...ICON} />} onClick={askToStop}>
          {t('journeys.stop')}
        </Button>
      )}
    </>
  );
}

function About({ row, figures }: { row: JourneyRow; figures: Figures | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const label = (field: string) => labelOf('journeys', field);
  return (
    <Section title={<JourneyState {...row} />}>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 6 }} m={0} spacing="md">
        <Fact label={t('journeys.under_way')}>{figures ? format.integer(figures.under_way) : '–'}</Fact>
        <Fact label={label('entered')}>{format.integer(row.entered)}</Fact>
        <Fact label={label('spent')}>{format.money(row.spent, row.currency)}</Fact>
        <Fact label={label('budget')}>
          {row.budget === null ? t('journeys.no_budget') : format.money(row.budget, row.currency)}
        </Fact>
        <Fact label={label('version')}>{row.version ?? '–'}</Fact>
        <Fact label={label('corporation_name')}>{row.corporation_name}</Fact>
      </SimpleGrid>
    </Section>
  );
}

function Versions({ figures }: { figures: Figures }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Section title={t('journeys.versions')}>
      <Stack gap="xs">
        {figures.versions.map((version) => (
          <Group key={version.number} gap="md" justify="space-between">
            <Text size="sm" fw={600}>
              {t('journeys.version_n', { n: version.number })}
            </Text>
            <Text size="sm" c="dimmed">
              {format.instant(version.created_at)}
              {version.published_by_name === null ? '' : ` · ${version.published_by_name}`}
            </Text>
            <Text size="sm">
              {t('journeys.under_way')}: {format.integer(version.under_way)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
