export { AskMessage } from './ask-message.tsx';
