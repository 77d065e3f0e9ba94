import { TIME_ZONES } from '@heliograph/contract/kernel/time-zones';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { previewCorporationOff } from '@heliograph/contract/organizations/switch-off';
import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { SwitchedOff } from './switched-off.tsx';

const Field = fieldsOf(corporation.create);
const CURRENCIES = Intl.supportedValuesOf('currency');

const Pairs = ({ children }: { children: ReactNode }) => <SimpleGrid cols={{ base: 1, xs: 2 }}>{children}</SimpleGrid>;

/** Page that creates or edits a corporation. */
export function CorporationForm() {
  const administration = useSession((s) => (s.profile?.scope_level ?? 4) < 2);
  return (
    <FormPage
      resource={corporation}
      groups={{
        general: (
          <>
            <Field.Text name="name" autoFocus />
            <Pairs>
              <Field.Select name="currency" options={CURRENCIES} />
              <Field.Select name="timezone" options={TIME_ZONES} />
              <Field.Text name="sales_code" />
              <Field.Reference name="reseller_id" to={corporation} filter={{ is_reseller: true }} />
            </Pairs>
            <Field.Switch name="enabled" />
            <SwitchedOff preview={previewCorporationOff} />
          </>
        ),
        sending: (
          <>
            <Pairs>
              <Field.Number name="throughput" />
              <Field.Number name="api_throughput" />
            </Pairs>
            <Field.Textarea name="opt_out_message" />
            <Field.Number name="opt_outs_per_thousand" />
            {administration && <Field.Select name="web_links" words="web_link_mode" />}
            <Field.Switch name="requires_consent" />
            <Field.Switch name="gives_parameters" />
          </>
        ),
        links: (
          <>
            <Field.Switch name="names_clicks" />
            <Field.Number name="short_link_days" />
            {administration && <Field.Text name="short_link_host" />}
          </>
        ),
        reports: (
          <>
            <Field.Text name="callback_url" type="url" />
            <Field.Switch name="campaign_alerts" />
          </>
        ),
      }}
    />
  );
}
