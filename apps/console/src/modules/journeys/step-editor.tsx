import {
  allSteps,
  JOURNEY_LIMITS,
  JOURNEY_STEPS,
  type JourneyStep,
  type SplitStep,
} from '@heliograph/contract/journeys/journey-definition';
import { ActionIcon, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormState } from '../../resource/form.tsx';
import classes from './journey.module.css';
import { AddBranch, BranchShare } from './split-fields.tsx';
import { StepFields } from './step-fields.tsx';
import { moved, newStep, nextId, withStep } from './step-tree.ts';

interface Editing {
  corporationId: number;
  /** All steps of the journey. */
  all: readonly JourneyStep[];
}
const EditingContext = createContext<Editing>({ corporationId: 0, all: [] });
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Editor of the steps of a journey as a list; branches are indented. Everything works with the keyboard. */
export function StepEditor(props: {
  corporationId: number;
  steps: readonly JourneyStep[];
  onChange: (steps: JourneyStep[]) => void;
}) {
  const { corporationId, steps, onChange } = props;
  const { t } = useTranslation();
  return (
    <EditingContext value={{ corporationId, all: steps }}>
      <StepList steps={steps} path="definition.steps" depth={1} place={t('journeys.steps')} onChange={onChange} />
    </EditingContext>
  );
}

interface ListProps {
  steps: readonly JourneyStep[];
  path: string;
  depth: number;
  /** Name of the list, for the button that adds to it. */
  place: string;
  onChange: (steps: JourneyStep[]) => void;
}

function StepList({ steps, path, depth, place, onChange }: ListProps) {
  const { t } = useTranslation();
  const { all } = useContext(EditingContext);
  const kinds = JOURNEY_STEPS.filter(
    (kind) => depth < JOURNEY_LIMITS.depth || (kind !== 'condition' && kind !== 'split'),
  );
  return (
    <Stack gap="xs">
      {steps.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(depth === 1 ? 'journeys.no_steps' : 'journeys.empty_branch')}
        </Text>
      )}
      <ol className={classes.steps}>
        {steps.map((step, at) => (
          <li key={step.id}>
            <StepCard
              step={step}
              path={`${path}.${at}`}
              depth={depth}
              number={at + 1}
              onChange={(next) => onChange(withStep(steps, at, next))}
              {...(at > 0 && { onUp: () => onChange(moved(steps, at, at - 1)) })}
              {...(at < steps.length - 1 && { onDown: () => onChange(moved(steps, at, at + 1)) })}
            />
          </li>
        ))}
      </ol>
      {allSteps(all).length < JOURNEY_LIMITS.steps && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button
              size="compact-sm"
              variant="default"
              style={{ alignSelf: 'flex-start' }}
              leftSection={<IconPlus {...ICON} />}
              aria-label={t('journeys.add_here', { place })}
            >
              {t('journeys.add_step')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {kinds.map((kind) => (
              <Menu.Item key={kind} onClick={() => onChange([...steps, newStep(kind, nextId(all))])}>
                {t(`journey_step.${kind}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Stack>
  );
}

interface CardProps {
  step: JourneyStep;
  path: string;
  depth: number;
  number: number;
  /** Gets null to remove the step. */
  onChange: (step: JourneyStep | null) => void;
  onUp?: () => void;
  onDown?: () => void;
}

function StepCard({ step, path, depth, number, onChange, onUp, onDown }: CardProps) {
  const { t } = useTranslation();
  const { errors } = useFormState();
  const { corporationId } = useContext(EditingContext);
  const errorOf = (field: string) => errors[`${path}.${field}`];
  return (
    <fieldset className={classes.step}>
      <legend className="app-visually-hidden">{t('journeys.step_n', { n: number })}</legend>
      <Group justify="space-between" gap="xs" wrap="nowrap" mb={step.do === 'end' ? 0 : 'xs'}>
        <Text size="sm" fw={600}>
          {number}. {t(`journey_step.${step.do}`)}
        </Text>
        <Group gap={2} wrap="nowrap">
          <IconAction label={t('journeys.move_up')} icon={<IconArrowUp {...ICON} />} onClick={onUp} />
          <IconAction label={t('journeys.move_down')} icon={<IconArrowDown {...ICON} />} onClick={onDown} />
          <IconAction label={t('journeys.remove_step')} icon={<IconTrash {...ICON} />} onClick={() => onChange(null)} />
        </Group>
      </Group>
      <StepFields step={step} corporationId={corporationId} errorOf={errorOf} onChange={onChange} />
      {step.do === 'condition' &&
        (['yes', 'no'] as const).map((branch) => (
          <div key={branch} className={classes.branch}>
            <Text size="sm" fw={600} mb={6}>
              {t(`journeys.${branch}`)}
            </Text>
            <StepList
              steps={step[branch]}
              path={`${path}.${branch}`}
              depth={depth + 1}
              place={t(`journeys.${branch}`)}
              onChange={(steps) => onChange({ ...step, [branch]: steps })}
            />
          </div>
        ))}
      {step.do === 'split' && <SplitBranches {...{ step, path, depth, onChange }} fault={errorOf('branches')} />}
    </fieldset>
  );
}

/** Button with an icon; an empty place of its size if there is nothing to do. */
const IconAction = (props: { label: string; icon: ReactNode; onClick: (() => void) | undefined }) =>
  props.onClick === undefined ? (
    <span className={classes.gap} />
  ) : (
    <ActionIcon variant="subtle" color="gray" aria-label={props.label} title={props.label} onClick={props.onClick}>
      {props.icon}
    </ActionIcon>
  );

function SplitBranches(props: {
  step: SplitStep;
  path: string;
  depth: number;
  fault: ReactNode;
  onChange: (step: JourneyStep) => void;
}) {
  const { step, path, depth, fault, onChange } = props;
  const { t } = useTranslation();
  return (
    <>
      {step.branches.map((branch, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: branches have no identity but their place
        <div key={nth} className={classes.branch}>
          <BranchShare step={step} nth={nth} fault={fault} onChange={onChange} />
          <StepList
            steps={branch.steps}
            path={`${path}.branches.${nth}.steps`}
            depth={depth + 1}
            place={t('journeys.branch_n', { n: nth + 1 })}
            onChange={(steps) =>
              onChange({
                ...step,
                branches: step.branches.map((each, place) => (place === nth ? { ...each, steps } : each)),
              })
            }
          />
        </div>
      ))}
      <AddBranch step={step} onChange={onChange} />
    </>
  );
}
