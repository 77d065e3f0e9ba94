import { alias } from '@heliograph/contract/inbound-routing/alias';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Badge, Group } from '@mantine/core';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(alias.create);

/** Screen of the words that have the same meaning as another keyword and lead replies to the same route. */
export function Aliases() {
  return (
    <ResourceList
      resource={alias}
      columns={[
        'word',
        {
          field: 'aliases',
          cell: (row) => (
            <Group gap={4} maw={420}>
              {row.aliases.map((word) => (
                <Badge key={word} variant="light" color="gray" tt="none" fw={500}>
                  {word}
                </Badge>
              ))}
            </Group>
          ),
          csv: (row) => row.aliases.join(' '),
        },
        'corporation_name',
        'enabled',
        'created_at',
      ]}
      filters={[{ field: 'corporation_id', to: corporation }, 'enabled']}
      form={
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Text name="word" autoFocus />
          <Field.Tags name="aliases" />
          <Field.Switch name="enabled" />
        </>
      }
    />
  );
}
