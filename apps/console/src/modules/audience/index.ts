export { useExplain } from './segment-voice.ts';
