import { type ComponentProps, type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../platform/connection.ts';
import { useMay } from '../../platform/session.ts';

const CampaignPart = lazyPart(async () => (await import('./campaign-margin.tsx')).CampaignMargin);
const DaysPart = lazyPart(async () => (await import('./days-margin.tsx')).DaysMargin);
const MessagePart = lazyPart(async () => (await import('./message-margin.tsx')).MessageMargin);
const QuotePart = lazyPart(async () => (await import('./quoted-margin.tsx')).QuotedMargin);

/** Draws its content for people who may see margins. Nobody else loads it. */
function ForMargins({ children }: { children: ReactNode }) {
  const may = useMay('margins-index');
  return may && <Suspense fallback={null}>{children}</Suspense>;
}

/** Price, cost and margin of a campaign; nothing for people who may not see margins. */
export const CampaignMargin = (props: ComponentProps<typeof CampaignPart>) => (
  <ForMargins>
    <CampaignPart {...props} />
  </ForMargins>
);

/** Price, cost and margin of a period; nothing for people who may not see margins. */
export const DaysMargin = (props: ComponentProps<typeof DaysPart>) => (
  <ForMargins>
    <DaysPart {...props} />
  </ForMargins>
);

/** Cost of a message and the reason for it; nothing for people who may not see margins. */
export const MessageMargin = (props: ComponentProps<typeof MessagePart>) => (
  <ForMargins>
    <MessagePart {...props} />
  </ForMargins>
);

/** Expected margin of a quote; nothing for people who may not see margins. */
export const QuotedMargin = (props: ComponentProps<typeof QuotePart>) => (
  <ForMargins>
    <QuotePart {...props} />
  </ForMargins>
);
