import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';

const library = () => import('@simplewebauthn/browser');

/** Options as the server sends them: JSON of WebAuthn level 3. */
type Options = { challenge: string };

/** Host for which the browser makes and finds passkeys. */
export const passkeyHost = (): string => location.hostname;

/** Result of a person's dialog with the browser. `stopped`: closed or too late. `present`: the device has one. */
type Outcome<Answer> = { answer: Answer } | 'stopped' | 'present';

async function outcomeOf<Answer>(dialog: Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return { answer: await dialog };
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' || name === 'InvalidStateError') return 'present';
    if (name === 'NotAllowedError' || name === 'AbortError') return 'stopped';
    throw error;
  }
}

/** Lets the browser make a passkey. */
export async function makePasskey(options: Options): Promise<Outcome<RegistrationResponseJSON>> {
  const { startRegistration } = await library();
  return outcomeOf(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }));
}

/** Lets the browser prove a passkey; with `byAutofill` it waits until the person chooses one in the email field. */
export async function provePasskey(options: Options, byAutofill = false): Promise<Outcome<AuthenticationResponseJSON>> {
  const { startAuthentication } = await library();
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return outcomeOf(startAuthentication({ optionsJSON, useBrowserAutofill: byAutofill }));
}

/** Tells whether the browser offers passkeys in the email field. */
export const autofillsPasskeys = async (): Promise<boolean> => (await library()).browserSupportsWebAuthnAutofill();

/** Ends a dialog that still waits, such as that of the email field. */
export async function stopPasskeys(): Promise<void> {
  (await library()).WebAuthnAbortService.cancelCeremony();
}
