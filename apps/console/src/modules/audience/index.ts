export { KeptSegment } from './kept-segment.tsx';
