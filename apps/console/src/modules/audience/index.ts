export { KeptSegment } from './kept-segment.tsx';
export { useContactFields } from './value-fields.tsx';
