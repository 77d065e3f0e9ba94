import { corporation } from '@heliograph/contract/organizations/corporation';
import { KEPT_FIELDS, platformRetention, retentionRule } from '@heliograph/contract/privacy/retention-rule';
import { Box, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { TextKeys } from './text-keys.tsx';

const Field = fieldsOf(retentionRule.create);

/** Screen of the rules for how long corporations' data is kept. */
export function RetentionRules() {
  const { t } = useTranslation();
  return (
    <>
      <ResourceList
        resource={retentionRule}
        emptyFact={<PlatformDays />}
        columns={[
          'corporation_name',
          {
            field: 'set_by',
            cell: ({ set_by }) => t(`rule_setter.${set_by}`),
            csv: ({ set_by }) => t(`rule_setter.${set_by}`),
          },
          ...KEPT_FIELDS,
          { field: 'created_at', hidden: true },
        ]}
        filters={[
          { field: 'corporation_id', to: corporation },
          { field: 'set_by', words: 'rule_setter' },
        ]}
      />
      <Box mt="lg">
        <TextKeys />
      </Box>
    </>
  );
}

/** Days of the platform's settings, which hold where there is no rule. */
function PlatformDays() {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['retention-rules', 'platform'],
    queryFn: ({ signal }) => call(platformRetention, { signal }),
  });
  if (!data) return null;
  const parts = KEPT_FIELDS.map((field) => {
    const days = data[field];
    return t('processing.part', {
      part: t(`processing.parts.${field}`),
      kept: days === null ? t('processing.part_no_limit') : t('processing.days', { days }),
    });
  });
  return <>{t('retention.platform', { days: parts.join('; ') })}</>;
}

/** Page that creates or edits a rule of retention. */
export const RetentionRuleForm = () => (
  <FormPage
    resource={retentionRule}
    groups={{
      texts: (
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Number name="otp_days" />
            <Field.Number name="transactional_days" />
            <Field.Number name="bulk_days" />
          </SimpleGrid>
        </>
      ),
      people: (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field.Number name="number_days" />
          <Field.Number name="reply_days" />
          <Field.Number name="file_days" />
          <Field.Number name="log_days" />
        </SimpleGrid>
      ),
    }}
  />
);
