import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { labelOf } from '../../resource/columns.tsx';
import { useFormState } from '../../resource/form.tsx';
import { useLinksNow } from './route-health.tsx';

/** Line of the field while it is edited. Text that is not yet a number stays as typed. */
interface Line {
  link_id: number | null;
  position: number | string;
  weight: number | string;
  from_time: string | null;
  until_time: string | null;
}

/** Hours of a link in the platform's time zone. */
const TIMES = ['from_time', 'until_time'] as const;

const numberOr = (text: string): number | string => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : text);

/** Field for the links of a route, each with its position and its weight. */
export function RouteLinksField() {
  const { t } = useTranslation();
  const form = useFormState();
  const choices = (useLinksNow().data?.data ?? []).map(({ link_id, link_name }) => ({
    value: String(link_id),
    label: link_name,
  }));
  const lines = ((form.values['links'] as Line[] | null) ?? []).map(
    ({ link_id, position, weight, from_time = null, until_time = null }) => ({
      ...{ link_id, position, weight, from_time, until_time },
    }),
  );
  const set = (next: Line[]) => form.set('links', next);
  const change = (at: number, part: Partial<Line>) =>
    set(lines.map((line, i) => (i === at ? { ...line, ...part } : line)));
  const last = Math.max(0, ...lines.map(({ position }) => Number(position) || 0));
  const fault = (at: number, field: keyof Line) => form.errors[`links.${at}.${field}`];
  return (
    <Fieldset legend={labelOf(form.name, 'links')} data-field="links">
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {t('resources.carrier-routes.hints.links')}
        </Text>
        {lines.map((line, at) => (
          // Lines have no id, so their position in the list identifies them.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Group key={at} gap="xs" align="flex-start">
            <Select
              flex="1 1 140px"
              label={t('carrier_routes.link_number', { number: at + 1 })}
              placeholder={t('form.choose')}
              searchable={choices.length > 10}
              nothingFoundMessage={t('carrier_routes.no_links')}
              data={choices}
              error={fault(at, 'link_id')}
              value={line.link_id === null ? null : String(line.link_id)}
              onChange={(value) => change(at, { link_id: value === null ? null : Number(value) })}
            />
            <TextInput
              w={64}
              label={t('carrier_routes.place')}
              inputMode="numeric"
              error={fault(at, 'position')}
              value={String(line.position)}
              onChange={(event) => change(at, { position: numberOr(event.currentTarget.value) })}
            />
            <TextInput
              w={64}
              label={t('carrier_routes.weight')}
              inputMode="numeric"
              error={fault(at, 'weight')}
              value={String(line.weight)}
              onChange={(event) => change(at, { weight: numberOr(event.currentTarget.value) })}
            />
            {TIMES.map((field) => (
              <TextInput
                key={field}
                w={76}
                label={t(`carrier_routes.${field}`)}
                placeholder="–"
                error={fault(at, field)}
                value={line[field] ?? ''}
                onChange={(event) => change(at, { [field]: event.currentTarget.value.trim() || null })}
              />
            ))}
            <ActionIcon
              variant="subtle"
              color="gray"
              mb={4}
              style={{ alignSelf: 'flex-end' }}
              aria-label={t('carrier_routes.remove_link', { number: at + 1 })}
              onClick={() => set(lines.filter((_, i) => i !== at))}
            >
              <IconTrash size={16} stroke={1.6} />
            </ActionIcon>
          </Group>
        ))}
        {form.errors['links'] && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {form.errors['links']}
          </Text>
        )}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} stroke={1.6} />}
            onClick={() =>
              set([...lines, { link_id: null, position: last + 1, weight: 1, from_time: null, until_time: null }])
            }
          >
            {t('carrier_routes.add_link')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
