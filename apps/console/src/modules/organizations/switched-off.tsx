import type { previewCorporationOff, previewDepartmentOff } from '@heliograph/contract/organizations/switch-off';
import { Alert, Checkbox, List, Text } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormState } from '../../resource/form.tsx';

const COUNTED = ['users', 'campaigns', 'scheduled', 'api_keys', 'system_ids'] as const;

/**
 * Notice of everything that will stop if the record is saved as disabled. It appears when an enabled record is switched
 * off, and asks about a reseller's customers too.
 */
export function SwitchedOff({ preview }: { preview: typeof previewCorporationOff | typeof previewDepartmentOff }) {
  const { t } = useTranslation();
  const { row, values, set } = useFormState();
  const leaves = row?.['enabled'] === true && values['enabled'] === false;
  const id = row?.['id'] as number;
  const { data } = useQuery({
    queryKey: [preview.path, id],
    queryFn: () => call(preview, { params: { id } }),
    enabled: leaves,
    gcTime: 0,
  });
  if (!leaves || !data) return null;
  const found = data.data;
  const told = COUNTED.filter((each) => found[each] > 0);
  return (
    <Alert
      color="orange"
      variant="light"
      role="status"
      icon={<IconPlayerPause size={18} aria-hidden />}
      title={t('switch_off.title')}
    >
      {told.length > 0 && (
        <List size="sm" mb="xs">
          {told.map((each) => (
            <List.Item key={each}>{t(`switch_off.${each}`, { count: found[each] })}</List.Item>
          ))}
        </List>
      )}
      <Text size="sm">{t('switch_off.text')}</Text>
      {found.customers > 0 && (
        <Checkbox
          mt="sm"
          label={t('switch_off.customers', { count: found.customers })}
          description={t('switch_off.customers_text')}
          checked={values['with_customers'] === true}
          onChange={(event) => set('with_customers', event.currentTarget.checked)}
        />
      )}
    </Alert>
  );
}
