import { blackoutTime } from '@heliograph/contract/organizations/blackout-time';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { SimpleGrid } from '@mantine/core';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(blackoutTime.create);

/** Screen of the daily hours in which no campaign of a corporation starts. */
export function BlackoutTimes() {
  return (
    <ResourceList
      resource={blackoutTime}
      columns={['corporation_name', 'start_time', 'end_time', 'timezone', 'programs', 'enabled', 'created_at']}
      filters={[{ field: 'corporation_id', to: corporation }, 'enabled']}
      form={
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Text name="start_time" type="time" />
            <Field.Text name="end_time" type="time" />
          </SimpleGrid>
          <Field.Switch name="programs" />
          <Field.Switch name="enabled" />
        </>
      }
    />
  );
}
