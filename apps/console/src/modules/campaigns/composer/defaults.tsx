import { SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Draft, edit } from './draft.ts';

/** Default values for the fields of the text, used for recipients without a value. */
export function Defaults(props: {
  draft: Draft;
  fields: readonly string[];
  /** Names of the columns or contact fields that hold the values, as far as they are known. */
  columns: ReadonlyMap<string, string>;
  errors: Readonly<Record<string, string>>;
}) {
  const { t } = useTranslation();
  const { draft, fields, columns, errors } = props;
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={500}>
          {t('compose.defaults')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('compose.defaults_hint')}
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
        {fields.map((field) => (
          <TextInput
            key={field}
            label={`{${field}}`}
            size="sm"
            maxLength={300}
            placeholder={columns.get(field) ?? ''}
            disabled={draft.skip_default_param}
            error={errors[`defaults.${field}`]}
            value={draft.defaults[field] ?? ''}
            onChange={(event) => edit({ defaults: { ...draft.defaults, [field]: event.currentTarget.value } })}
          />
        ))}
      </SimpleGrid>
      <Switch
        label={t('compose.skip')}
        description={t('compose.skip_hint')}
        checked={draft.skip_default_param}
        onChange={(event) => edit({ skip_default_param: event.currentTarget.checked })}
      />
    </Stack>
  );
}
