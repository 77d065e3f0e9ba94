import { Anchor, Group, Text } from '@mantine/core';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { Link } from '../../ui/link.tsx';

interface CountProps {
  to: string;
  search?: Record<string, string>;
  label: string;
  count: number;
}

/** Number with a link to the screen behind it, if the user may open that screen. */
export function Count(props: CountProps) {
  const format = useFormat();
  const allowed = useMay(`${props.to.slice(1)}-index`);
  return (
    <Group justify="space-between" wrap="nowrap">
      {allowed ? (
        <Anchor component={Link} to={props.to} {...(props.search ? { search: props.search } : {})} size="sm">
          {props.label}
        </Anchor>
      ) : (
        <Text size="sm">{props.label}</Text>
      )}
      <Text fw={600}>{format.integer(props.count)}</Text>
    </Group>
  );
}
