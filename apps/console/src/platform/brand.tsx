import { Group, Text } from '@mantine/core';
import { useAppName } from './title.ts';

/** Logo of the operator, or the product's icon with the application's name. */
export function Brand(props: { logo: string | null; large?: boolean; iconOnly?: boolean }) {
  const name = useAppName();
  const size = props.large ? 40 : 30;
  if (props.logo)
    return (
      <img
        src={props.logo}
        alt={name}
        style={{
          maxHeight: props.large ? 100 : 36,
          maxWidth: '100%',
          display: 'block',
          margin: props.large ? '0 auto' : 0,
          // Logos are drawn for a light background.
          background: 'light-dark(transparent, #fff)',
          borderRadius: 4,
        }}
      />
    );
  return (
    <Group gap={10} justify={props.large ? 'center' : 'flex-start'} wrap="nowrap">
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--mantine-primary-color-filled)" />
        <circle cx="16" cy="18.5" r="4.5" fill="#fff" />
        <path
          d="M16 6v4M7.500 10l2.800 2.800M24.500 10l-2.800 2.800M5 18.500h3.500M23.500 18.500H27"
          stroke="#fff"
          strokeWidth="2.200"
          strokeLinecap="round"
        />
      </svg>
      {!props.iconOnly && (
        <Text fw={600} fz={props.large ? 24 : 17} style={{ letterSpacing: '-0.01em' }} truncate>
          {name}
        </Text>
      )}
    </Group>
  );
}
