export { AlarmStrip } from './alarm-strip.tsx';
