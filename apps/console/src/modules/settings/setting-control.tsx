import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { type Setting, settingOf } from '@heliograph/contract/kernel/operator-settings';
import { canonicalZone, TIME_ZONES } from '@heliograph/contract/kernel/time-zones';
import { ColorInput, Group, Input, Radio, SegmentedControl, Select, Switch, Text, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasText } from '../../platform/language.ts';

interface ControlProps {
  setting: Setting | undefined;
  value: string;
  onChange: (value: string) => void;
  label: string;
  description?: string;
  error?: React.ReactNode;
  disabled?: boolean;
  'data-field': string;
}

/**
 * Returns the name or the description of a setting. A setting of the program is translated; one made by the operator
 * stays as written.
 */
export const said = (
  t: TFunction,
  row: { key: string; name: string; description: string },
  part: 'name' | 'description',
) => {
  const key = keyIn('configurations', row.key, part);
  return settingOf(row.key) && hasText(key) ? t(key) : row[part];
};

/** Number that replaces 0 when a person chooses a limit. */
const FIRST_LIMIT = '90';

/** Input for a setting's value, by the setting's type. */
export function SettingControl({ setting, value, onChange, ...common }: ControlProps) {
  const { t } = useTranslation();
  if (setting?.type === 'boolean')
    return (
      <Switch {...common} checked={value === 'true'} onChange={(e) => onChange(String(e.currentTarget.checked))} />
    );
  if (setting?.options)
    return (
      <Input.Wrapper {...common} labelElement="div">
        <div>
          <SegmentedControl
            mt={4}
            aria-label={common.label}
            disabled={common.disabled ?? false}
            data={setting.options.map((option) => ({ value: option, label: t(keyIn('configuration_option', option)) }))}
            value={value}
            onChange={onChange}
          />
        </div>
      </Input.Wrapper>
    );
  if (setting?.type === 'timezone')
    return (
      <Select
        {...common}
        searchable
        limit={100}
        data={[...TIME_ZONES]}
        value={canonicalZone(value)}
        onChange={(zone) => onChange(zone ?? '')}
      />
    );
  if (setting?.type === 'color')
    return <ColorInput {...common} format="hex" withEyeDropper={false} value={value} onChange={onChange} />;
  if (setting?.zero) return <Limit {...common} setting={setting} value={value} onChange={onChange} />;
  return (
    <TextInput
      {...common}
      inputMode={setting?.type === 'integer' ? 'numeric' : 'text'}
      rightSection={setting?.unit && <Text size="xs">{t(keyIn('configuration_unit', setting.unit))}</Text>}
      rightSectionWidth={setting?.unit ? 64 : undefined}
      value={value}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  );
}

/** Choice between no limit, which is stored as 0, and a number. */
function Limit({ setting, value, onChange, disabled = false, ...common }: ControlProps & { setting: Setting }) {
  const { t } = useTranslation();
  const [last, setLast] = useState(value === '0' ? FIRST_LIMIT : value);
  const unit = t(keyIn('configuration_unit', setting.unit ?? 'days'));
  const change = (number: string) => {
    setLast(number);
    onChange(number);
  };
  return (
    <Radio.Group
      {...common}
      value={value === '0' ? 'none' : 'limit'}
      onChange={(choice) => onChange(choice === 'none' ? '0' : last)}
    >
      <Group gap="lg" mt={6}>
        <Radio value="none" disabled={disabled} label={t(keyIn('configuration_zero', setting.zero!))} />
        <Group gap="xs" wrap="nowrap">
          <Radio value="limit" disabled={disabled} aria-label={unit} />
          <TextInput
            w={130}
            inputMode="numeric"
            aria-label={`${common.label}: ${unit}`}
            disabled={disabled || value === '0'}
            rightSection={<Text size="xs">{unit}</Text>}
            rightSectionWidth={72}
            value={value === '0' ? '' : value}
            onChange={(e) => change(e.currentTarget.value)}
          />
        </Group>
      </Group>
    </Radio.Group>
  );
}
