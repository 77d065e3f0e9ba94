import { Drawer, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { FinalStep } from './final-step.tsx';
import { QuoteCard } from './quote-card.tsx';
import type { Composition } from './use-composition.ts';

/** Last step: the exact quote, one sentence that says what will happen, and the button that does it. */
export function Review(props: {
  of: Composition;
  suggestedName: string;
  /** Receives the faults that the server finds in the schedule, by field. */
  onScheduleFaults: (faults: Readonly<Record<string, string>>) => void;
}) {
  const { t } = useTranslation();
  const { of, onScheduleFaults } = props;
  const { reviewing, quoted, sendable, sender } = of;
  const { stale, checking, error } = quoted;
  // A choice inside the review, such as the reading of local numbers, changes the quote.
  useEffect(() => {
    if (reviewing && stale && !checking && !error) void quoted.check();
  });
  return (
    <Drawer
      opened={reviewing}
      onClose={of.closeReview}
      size="md"
      title={
        <Text fw={650} size="lg">
          {t('foot.review_title')}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <QuoteCard of={quoted}>
        {sendable && (
          <FinalStep
            quote={sendable}
            sender={sender?.sender_id ?? ''}
            suggestedName={props.suggestedName}
            onFaults={(faults) => {
              onScheduleFaults(faults);
              // The fields of the schedule are behind the review.
              if (Object.keys(faults).some((field) => field.startsWith('schedule.'))) of.closeReview();
            }}
          />
        )}
      </QuoteCard>
    </Drawer>
  );
}
