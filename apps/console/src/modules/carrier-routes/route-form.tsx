import { carrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import { network } from '@heliograph/contract/networks/network';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { SimpleGrid, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { RouteLinksField } from './route-links-field.tsx';
import { SimulateRoute } from './simulate-route.tsx';

const Field = fieldsOf(carrierRoute.create);

/** Page that creates or edits a carrier route. */
export const CarrierRouteForm = () => (
  <FormPage
    resource={carrierRoute}
    groups={{
      general: (
        <>
          <Field.Text name="name" autoFocus />
          <Field.Switch name="enabled" />
        </>
      ),
      messages: (
        <>
          <Precedence />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Reference name="corporation_id" to={corporation} />
            <Field.Reference name="reseller_id" to={corporation} filter={{ is_reseller: true }} />
            <Field.Text name="sender_id" />
            <Field.Select name="class" words="message_class" />
            <Field.Reference name="network_id" to={network} filter={{ enabled: true }} />
            <Field.Text name="prefix" />
          </SimpleGrid>
        </>
      ),
      links: (
        <>
          <Strategy />
          <RouteLinksField />
          <SimulateRoute />
        </>
      ),
    }}
  />
);

function Precedence() {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed">
      {t('carrier_routes.precedence')}
    </Text>
  );
}

/** Strategy of a route, and the fields that the strategy asks for. */
function Strategy() {
  const strategy = useFormState().values['strategy'] as z.output<typeof carrierRoute.row>['strategy'];
  return (
    <>
      <Field.Select name="strategy" words="route_strategy" />
      {(strategy === 'cost_with_floor' || strategy === 'by_class') && <Field.Number name="quality_floor" />}
      {(strategy === 'position' || strategy === 'least_cost') && <Field.Switch name="avoid_declined" />}
    </>
  );
}
