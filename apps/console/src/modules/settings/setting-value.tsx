import { settingOf } from '@heliograph/contract/kernel/operator-settings';
import { labelOf } from '../../resource/columns.tsx';
import { useFormState } from '../../resource/form.tsx';
import { SettingControl } from './setting-control.tsx';

/** Field for the value of a setting, with an input of the setting's type. */
export function SettingValue() {
  const form = useFormState();
  return (
    <SettingControl
      setting={settingOf(String(form.row?.['key'] ?? form.values['key'] ?? ''))}
      label={labelOf(form.name, 'value')}
      error={form.errors['value']}
      data-field="value"
      value={String(form.values['value'] ?? '')}
      onChange={(next) => form.set('value', next)}
    />
  );
}
