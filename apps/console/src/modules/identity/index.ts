export { ConsentForm, SupportRequest } from './consent-form.tsx';
export { SignInRules } from './session-rules.tsx';
