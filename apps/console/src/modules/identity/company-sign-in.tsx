import { beginSignOn } from '@heliograph/contract/single-sign-on/sign-in';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { isScreen } from '../../platform/return-place.ts';

interface CompanySignInProps {
  /** Email address in the field above; its domain decides where the sign-in continues. */
  email: string;
  from: string | undefined;
  busy: boolean;
  /** Runs a sign-in, with the form disabled meanwhile. */
  run: (work: () => Promise<unknown>) => void;
  onFault: (text: string) => void;
}

/** Button that continues at the identity provider of the email's company. */
export function CompanySignIn({ email, from, busy, run, onFault }: CompanySignInProps) {
  const { t } = useTranslation();
  const enter = async () => {
    if (email === '') return onFault(t('sign_on.email_first'));
    const { url } = await call(beginSignOn, { body: { email, ...(from && isScreen(from) && { from }) } });
    if (url === null) onFault(t('sign_on.no_provider'));
    else location.assign(url);
  };
  return (
    <Button variant="default" size="md" disabled={busy} fullWidth onClick={() => run(enter)}>
      {t('sign_on.button')}
    </Button>
  );
}
