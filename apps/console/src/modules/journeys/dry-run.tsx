import { contact } from '@heliograph/contract/audience/contact';
import { DRY_RUN_PEOPLE, dryRunJourney } from '@heliograph/contract/journeys/journey';
import { allSteps, type JourneyStep } from '@heliograph/contract/journeys/journey-definition';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { ReferencesSelect } from '../../resource/reference.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './journey.module.css';
import { useJourneyWords } from './journey-voice.ts';
import type { JourneyRow } from './journeys.tsx';

type Person = ReplyOf<typeof dryRunJourney>['data'][number];

/** Dry run of a journey for contacts that the user chooses. */
export function DryRun({ row }: { row: JourneyRow }) {
  const { t } = useTranslation();
  const { busy, run } = useAction();
  const [ids, setIds] = useState<number[]>([]);
  const [people, setPeople] = useState<readonly Person[]>([]);
  return (
    <Section title={t('journeys.dry_run')}>
      <Text size="sm" c="dimmed">
        {t('journeys.dry_run_hint')}
      </Text>
      <Group align="flex-end" gap="sm">
        <ReferencesSelect
          to={contact}
          within={{ corporation_id: row.corporation_id }}
          label={t('journeys.contacts')}
          value={ids}
          maxValues={DRY_RUN_PEOPLE}
          flex="1 1 260px"
          onChange={setIds}
        />
        <Button
          loading={busy}
          disabled={ids.length === 0}
          onClick={() =>
            void run(async () => {
              const reply = await call(dryRunJourney, { params: { id: row.id }, body: { contact_ids: ids } });
              setPeople(reply.data);
            })
          }
        >
          {t('journeys.try')}
        </Button>
      </Group>
      <Stack gap="md" aria-live="polite">
        {people.map((person) => (
          <PersonSteps key={person.contact_id} person={person} row={row} />
        ))}
      </Stack>
    </Section>
  );
}

function PersonSteps({ person, row }: { person: Person; row: JourneyRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { stepWords } = useJourneyWords();
  const steps = new Map(allSteps(row.definition.steps).map((step) => [step.id, step]));
  const branchName = (step: JourneyStep, branch: number) =>
    step.do === 'condition'
      ? t(branch === 0 ? 'journeys.yes' : 'journeys.no')
      : t('journeys.branch_n', { n: branch + 1 });
  return (
    <div>
      <Text fw={600} size="sm" mb={6}>
        {person.name === null ? person.number : `${person.name} · ${person.number}`}
      </Text>
      <ol className={classes.steps}>
        {person.steps.map(({ step: id, at, branch, text, cost, fate }) => {
          const step = steps.get(id);
          return step === undefined ? null : (
            <li key={id} className={classes.step}>
              <Group gap="xs" justify="space-between">
                <Text size="xs" c="dimmed">
                  {format.instant(at)}
                </Text>
                {fate !== null && (
                  <Badge color={fate === 'sent' ? 'teal' : 'orange'} variant="light" tt="none">
                    {t(`journey_fate.${fate}`)}
                  </Badge>
                )}
              </Group>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {text ?? stepWords(step, row.names)}
              </Text>
              {branch !== null && <Text size="sm">{branchName(step, branch)}</Text>}
              {cost !== null && (
                <Text size="xs" c="dimmed">
                  {t('journeys.cost')}: {format.money(cost, row.currency)}
                </Text>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
