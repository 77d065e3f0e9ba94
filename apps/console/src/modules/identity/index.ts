export { ConsentForm, SupportRequest } from './consent-form.tsx';
export { PublicPage } from './public-page.tsx';
export { SignInRules } from './session-rules.tsx';
