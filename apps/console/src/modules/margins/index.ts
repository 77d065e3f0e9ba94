export { CampaignMargin } from './campaign-margin.tsx';
export { DaysMargin } from './days-margin.tsx';
export { MessageMargin } from './message-margin.tsx';
export { QuotedMargin } from './quoted-margin.tsx';
