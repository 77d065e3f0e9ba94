import { removeProfileImage, uploadProfileImage } from '@heliograph/contract/identity/session';
import { Avatar, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call, upload } from '../../platform/call.ts';
import { useSession } from '../../platform/session.ts';
import { loadProfile } from '../../platform/sign-in.ts';
import { toast } from '../../platform/toast.ts';

const SIDE = 256;

/** Returns the picture cut to a square and drawn again: small, and without the data that a camera adds to its files. */
async function redrawn(file: File): Promise<File> {
  const bitmap = await createImageBitmap(file);
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  canvas.getContext('2d')?.drawImage(bitmap, left, top, side, side, 0, 0, SIDE, SIDE);
  bitmap.close();
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  return blob ? new File([blob], 'picture.png', { type: 'image/png' }) : file;
}

/** Form for the user's own picture. */
export function Picture() {
  const { t } = useTranslation();
  const profile = useSession((s) => s.profile);
  const { busy, run } = useAction();

  const keep = (work: () => Promise<{ message?: string | undefined }>) =>
    run(async () => {
      const { message } = await work();
      await loadProfile();
      void toast('success', message ?? '');
    });
  // A file that the browser cannot draw is sent unchanged. The server then names the fault.
  const send = (file: File | null) =>
    file && void keep(async () => upload(uploadProfileImage, { file: await redrawn(file).catch(() => file) }));

  return (
    <Group gap="md" align="center">
      <Avatar
        size={72}
        src={profile?.image_path ?? null}
        name={(profile?.name ?? '').replace(/[^\p{L}\s]/gu, '')}
        color="brand"
        alt={t('profile.image')}
      />
      <Stack gap={6}>
        <Group gap="xs">
          <FileButton onChange={send} accept="image/png,image/jpeg,image/webp">
            {(props) => (
              <Button {...props} variant="default" size="xs" loading={busy}>
                {t('profile.image_choose')}
              </Button>
            )}
          </FileButton>
          {profile?.image_path && (
            <Button variant="subtle" size="xs" onClick={() => void keep(() => call(removeProfileImage))}>
              {t('profile.image_remove')}
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {t('profile.image_hint')}
        </Text>
      </Stack>
    </Group>
  );
}
