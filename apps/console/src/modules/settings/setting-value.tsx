import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { settingOf } from '@heliograph/contract/kernel/operator-settings';
import { canonicalZone, TIME_ZONES } from '@heliograph/contract/kernel/time-zones';
import { ColorInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { labelOf } from '../../resource/columns.tsx';
import { useFormState } from '../../resource/form.tsx';

/** Field for the value of a setting, with an input of the setting's type. */
export function SettingValue() {
  const { t } = useTranslation();
  const form = useFormState();
  const key = String(form.row?.['key'] ?? form.values['key'] ?? '');
  const setting = settingOf(key);
  const value = String(form.values['value'] ?? '');
  const set = (next: string | null) => form.set('value', next ?? '');
  const common = { label: labelOf(form.name, 'value'), error: form.errors['value'], 'data-field': 'value' };
  if (setting?.options)
    return (
      <div>
        <SegmentedControl
          aria-label={labelOf(form.name, 'value')}
          data={setting.options.map((option) => ({ value: option, label: t(keyIn('configuration_option', option)) }))}
          value={value}
          onChange={set}
        />
      </div>
    );
  if (setting?.type === 'timezone')
    return (
      <Select {...common} searchable limit={100} data={[...TIME_ZONES]} value={canonicalZone(value)} onChange={set} />
    );
  if (setting?.type === 'color') return <ColorInput {...common} format="hex" value={value} onChange={set} />;
  return (
    <TextInput
      {...common}
      inputMode={setting?.type === 'integer' ? 'numeric' : 'text'}
      value={value}
      onChange={(e) => set(e.currentTarget.value)}
    />
  );
}
