import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(pricePlan.create);

export function PricePlans() {
  const { t } = useTranslation();
  return (
    <ResourceList
      resource={pricePlan}
      columns={[
        'name',
        { field: 'type', cell: (row) => t(`price_plan_type.${row.type}`) },
        'default_charge',
        { field: 'description', hidden: true },
        'corporation_name',
        'enabled',
        'created_at',
      ]}
      filters={['enabled', { field: 'type', words: 'price_plan_type' }]}
      form={
        <>
          <Field.Text name="name" autoFocus />
          <Field.Select name="type" words="price_plan_type" />
          <Field.Money name="default_charge" />
          <Field.Textarea name="description" />
          <Field.Reference name="corporation_id" to={corporation} filter={{ is_reseller: true }} />
          <Field.Switch name="enabled" />
        </>
      }
    />
  );
}
