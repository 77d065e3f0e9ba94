export { SignInRules } from './session-rules.tsx';
