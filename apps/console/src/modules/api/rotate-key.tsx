import { apiKey, rotateApiKey } from '@heliograph/contract/api/api-key';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { toast } from '../../platform/toast.ts';
import { RotateDialog } from '../../ui/secret-dialogs.tsx';
import type { KeyRow } from './api-keys.tsx';
import type { MadeKey } from './key-parts.tsx';

/** Dialog that creates a new key to replace the old one. The old one stays valid for some hours. */
export function RotateKey(props: { row: KeyRow; onClose: () => void; onMade: (made: MadeKey) => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const { id, name } = props.row;

  const rotate = (overlap_hours: number) =>
    run(async () => {
      const { data, message } = await call(rotateApiKey, { params: { id }, body: { overlap_hours } });
      await client.invalidateQueries({ queryKey: [apiKey.name] });
      void toast('success', message ?? t('api_keys.rotated'));
      props.onMade({ ...data, doors: props.row.doors });
      props.onClose();
    });

  return (
    <RotateDialog
      title={t('api_keys.rotate_title', { name })}
      explained={t('api_keys.rotate_explained')}
      label={t('api_keys.overlap_hours')}
      action={t('api_keys.rotate')}
      busy={busy}
      onRotate={(hours) => void rotate(hours)}
      onClose={props.onClose}
    />
  );
}
