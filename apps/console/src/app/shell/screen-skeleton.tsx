import { Skeleton, Stack } from '@mantine/core';

/** Stands where a screen will be while its script comes. */
export function ScreenSkeleton() {
  return (
    <Stack>
      <Skeleton h={32} w={220} />
      <Skeleton h={240} radius="lg" />
    </Stack>
  );
}
