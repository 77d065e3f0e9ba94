import { Skeleton, Stack } from '@mantine/core';

/** Placeholder shown while a screen's script loads. */
export function ScreenSkeleton() {
  return (
    <Stack>
      <Skeleton h={32} w={220} />
      <Skeleton h={240} radius="lg" />
    </Stack>
  );
}
