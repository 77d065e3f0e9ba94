export { KeptSegment } from './kept-segment.tsx';
export { CampaignSelect } from './segment-campaign.tsx';
export { useContactFields } from './value-fields.tsx';
