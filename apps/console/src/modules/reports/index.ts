export { CampaignSelect } from './campaign-select.tsx';
export { MessageDrawer } from './message-drawer.tsx';
export { type MessageRow, MessageStateBadge } from './message-state.tsx';
export { Reason, reasonOf } from './reason.tsx';
