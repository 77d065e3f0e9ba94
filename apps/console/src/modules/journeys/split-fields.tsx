import { JOURNEY_LIMITS, type JourneyStep, type SplitStep } from '@heliograph/contract/journeys/journey-definition';
import { ActionIcon, Button, Group, NumberInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { equalShares } from './step-tree.ts';

interface SplitProps {
  step: SplitStep;
  onChange: (step: JourneyStep) => void;
}
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Share of one branch of a split, and the button that removes the branch. */
export function BranchShare({ step, nth, fault, onChange }: SplitProps & { nth: number; fault: ReactNode }) {
  const { t } = useTranslation();
  const { branches } = step;
  const change = (share: number) =>
    onChange({ ...step, branches: branches.map((each, place) => (place === nth ? { ...each, share } : each)) });
  const remove = () => onChange({ ...step, branches: equalShares(branches.filter((_, place) => place !== nth)) });
  const label = t('journeys.remove_branch');
  return (
    <Group gap="xs" align="flex-end" mb={6}>
      <NumberInput
        label={`${t('journeys.branch_n', { n: nth + 1 })}: ${t('journeys.share')}`}
        min={1}
        max={99}
        allowDecimal={false}
        value={branches[nth]!.share}
        error={nth === 0 ? fault : undefined}
        onChange={(share) => change(Number(share))}
      />
      {branches.length > 2 && (
        <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={remove}>
          <IconTrash {...ICON} />
        </ActionIcon>
      )}
    </Group>
  );
}

/** Button that adds a branch, as long as a split may have more. */
export function AddBranch({ step, onChange }: SplitProps) {
  const { t } = useTranslation();
  if (step.branches.length >= JOURNEY_LIMITS.branches) return null;
  return (
    <Button
      mt="xs"
      size="compact-sm"
      variant="subtle"
      leftSection={<IconPlus {...ICON} />}
      onClick={() => onChange({ ...step, branches: equalShares([...step.branches, { share: 1, steps: [] }]) })}
    >
      {t('journeys.add_branch')}
    </Button>
  );
}
