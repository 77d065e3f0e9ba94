import type { JourneyStep } from '@heliograph/contract/journeys/journey-definition';
import { Button, CloseButton, Group, Text } from '@mantine/core';
import { IconArrowsMove, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './journey.module.css';
import { AddBranch, BranchShare } from './split-fields.tsx';
import { StepFields } from './step-fields.tsx';

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

interface PanelProps {
  step: JourneyStep;
  corporationId: number;
  errorOf: (field: string) => ReactNode;
  /** True while a place is chosen to which the step moves. */
  moving: boolean;
  onChange: (step: JourneyStep) => void;
  onMove: () => void;
  onRemove: () => void;
  onClose: () => void;
}

/** Fields of the step that is open in the picture. */
export function StepPanel(props: PanelProps) {
  const { step, corporationId, errorOf, moving, onChange } = props;
  const { t } = useTranslation();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const title = t(`journey_step.${step.do}`);
  return (
    <section ref={panel} className={classes.panel} aria-label={title} tabIndex={-1}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <CloseButton size="sm" aria-label={t('journeys.close_step')} onClick={props.onClose} />
      </Group>
      <StepFields step={step} corporationId={corporationId} errorOf={errorOf} onChange={onChange} />
      {step.do === 'split' && (
        <>
          {step.branches.map((_, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: branches have no identity but their place
            <BranchShare key={nth} step={step} nth={nth} fault={errorOf('branches')} onChange={onChange} />
          ))}
          <AddBranch step={step} onChange={onChange} />
        </>
      )}
      <Group gap="xs" mt="md">
        <Button size="compact-sm" variant="default" leftSection={<IconArrowsMove {...ICON} />} onClick={props.onMove}>
          {t(moving ? 'journeys.stay' : 'journeys.move')}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          leftSection={<IconTrash {...ICON} />}
          onClick={props.onRemove}
        >
          {t('journeys.remove_step')}
        </Button>
      </Group>
      {moving && (
        <Text size="sm" c="dimmed" mt="xs" role="status">
          {t('journeys.move_hint')}
        </Text>
      )}
    </section>
  );
}
