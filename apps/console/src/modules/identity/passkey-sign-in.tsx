import { beginPasskeySignIn, passkeySignIn } from '@heliograph/contract/identity/passkey';
import type { signIn } from '@heliograph/contract/identity/session';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { autofillsPasskeys, passkeyHost, provePasskey, stopPasskeys } from './passkey-browser.ts';

/** Interval in ms at which the waiting dialog of the email field gets a new challenge; one is valid for five minutes. */
const RENEW_MS = 4 * 60_000;

type SignedIn = ReplyOf<typeof signIn>;

/** Signs in by a passkey; `stopped` if the user closed the browser's dialog. */
async function signInByPasskey(byAutofill = false): Promise<SignedIn | 'stopped'> {
  const host = passkeyHost();
  const { options } = await call(beginPasskeySignIn, { body: { host } });
  const proof = await provePasskey(options, byAutofill);
  if (typeof proof === 'string') return 'stopped';
  return call(passkeySignIn, { body: { host, credential: proof.answer } });
}

/** Offers passkeys in the email field, for as long as the page is open. */
function useAutofill(onSignedIn: (reply: SignedIn) => Promise<unknown>, onFault: (error: unknown) => void): void {
  const handlers = useRef({ onSignedIn, onFault });
  handlers.current = { onSignedIn, onFault };
  useEffect(() => {
    let isOpen = true;
    let timer: ReturnType<typeof setInterval> | undefined;
    const offer = () =>
      signInByPasskey(true).then(
        (reply) => (reply === 'stopped' || !isOpen ? undefined : handlers.current.onSignedIn(reply)),
        (error: unknown) => isOpen && handlers.current.onFault(error),
      );
    void autofillsPasskeys().then((can) => {
      if (!can || !isOpen) return;
      void offer();
      timer = setInterval(() => void offer(), RENEW_MS);
    });
    return () => {
      isOpen = false;
      if (timer === undefined) return;
      clearInterval(timer);
      void stopPasskeys();
    };
  }, []);
}

interface PasskeySignInProps {
  busy: boolean;
  /** Runs a sign-in, with the form disabled meanwhile. */
  run: (work: () => Promise<unknown>) => void;
  onSignedIn: (reply: SignedIn) => Promise<unknown>;
  onFault: (text: string) => void;
}

/** Button that signs in by a passkey; the email field offers them too, where the browser can. */
export function PasskeySignIn({ busy, run, onSignedIn, onFault }: PasskeySignInProps) {
  const { t } = useTranslation();
  useAutofill(onSignedIn, (error) => onFault(sentenceOf(error)));
  const enter = async () => {
    const reply = await signInByPasskey();
    if (reply === 'stopped') onFault(t('passkeys.stopped'));
    else await onSignedIn(reply);
  };
  return (
    <Button variant="default" size="md" disabled={busy} fullWidth onClick={() => run(enter)}>
      {t('passkeys.sign_in')}
    </Button>
  );
}
