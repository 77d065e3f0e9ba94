import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { getPersonRequest } from '@heliograph/contract/privacy/person-request';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const COLORS = { searching: 'blue', found: 'teal', asked: 'orange', erasing: 'yellow', erased: 'gray' } as const;

/** State of a search for a person. */
export function PersonState({ state }: Pick<ReplyOf<typeof getPersonRequest>['data'], 'state'>) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" size="sm" color={COLORS[state]} style={{ minWidth: 'max-content' }}>
      {t(`person_state.${state}`)}
    </Badge>
  );
}
