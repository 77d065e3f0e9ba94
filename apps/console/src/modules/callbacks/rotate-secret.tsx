import { callback, rotateCallbackSecret } from '@heliograph/contract/callbacks/callback';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { RotateDialog } from '../../ui/secret-dialogs.tsx';
import { type EndpointRow, endpointName } from './endpoint.ts';

/** Dialog that creates a new secret. For some hours, callbacks are signed with the old one as well. */
export function RotateSecret(props: { endpoint: EndpointRow; onClose: () => void; onMade: (secret: string) => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const { id } = props.endpoint;

  const rotate = (overlap_hours: number) =>
    run(async () => {
      const { data } = await call(rotateCallbackSecret, { params: { id }, body: { overlap_hours } });
      await client.invalidateQueries({ queryKey: [callback.name] });
      props.onMade(data.secret);
      props.onClose();
    });

  return (
    <RotateDialog
      title={`${t('callbacks.rotate')} · ${endpointName(props.endpoint)}`}
      explained={t('callbacks.rotate_hint')}
      label={t('callbacks.overlap')}
      action={t('callbacks.rotate')}
      busy={busy}
      onRotate={(hours) => void rotate(hours)}
      onClose={props.onClose}
    />
  );
}
