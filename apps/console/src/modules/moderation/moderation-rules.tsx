import { moderationRule } from '@heliograph/contract/moderation/moderation';
import { network } from '@heliograph/contract/networks/network';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Badge, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { TryText } from './try-text.tsx';

const Field = fieldsOf(moderationRule.create);

/** Screen of the rules that hold texts for a decision, or let them pass. */
export function ModerationRules() {
  const { t } = useTranslation();
  return (
    <ResourceList
      resource={moderationRule}
      header={{ actions: <TryText /> }}
      columns={[
        'name',
        {
          field: 'action',
          cell: ({ action }) => (
            <Badge variant="light" color={action === 'hold' ? 'orange' : 'teal'}>
              {t(`moderation_action.${action}`)}
            </Badge>
          ),
          csv: ({ action }) => t(`moderation_action.${action}`),
        },
        { field: 'traffic', cell: ({ traffic }) => t(`moderation_traffic.${traffic}`) },
        'corporation_name',
        { field: 'network_id', cell: (row) => row.network_name, csv: (row) => row.network_name ?? '' },
        'sender',
        { field: 'words', cell: ({ words }) => words.join(', '), csv: ({ words }) => words.join(', ') },
        'web_address',
        'min_messages',
        'new_days',
        'enabled',
        { field: 'created_at', hidden: true },
      ]}
      filters={[
        { field: 'action', words: 'moderation_action' },
        { field: 'corporation_id', to: corporation },
        { field: 'network_id', to: network },
        'enabled',
      ]}
    />
  );
}

/** Page that creates or edits a rule. */
export const ModerationRuleForm = () => (
  <FormPage
    resource={moderationRule}
    groups={{
      general: (
        <>
          <Field.Text name="name" autoFocus />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Select name="action" words="moderation_action" />
            <Field.Select name="traffic" words="moderation_traffic" />
          </SimpleGrid>
          <Field.Switch name="enabled" />
        </>
      ),
      conditions: (
        <>
          <Field.Tags name="words" />
          <Field.Switch name="web_address" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Reference name="corporation_id" to={corporation} />
            <Field.Reference name="network_id" to={network} filter={{ enabled: true }} />
            <Field.Text name="sender" />
            <Field.Number name="min_messages" />
            <Field.Number name="new_days" />
          </SimpleGrid>
        </>
      ),
    }}
  />
);
