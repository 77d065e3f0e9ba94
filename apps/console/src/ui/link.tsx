import { Link as RouterLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, FunctionComponent, Ref } from 'react';

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string;
  search?: Record<string, string>;
  hash?: string;
  ref?: Ref<HTMLAnchorElement>;
}

/** The router marks a link as the current page only if it leads there, not to a screen above it. */
const EXACT = { exact: true } as const;

// The router's own type is generic over every route. Inside the component library's polymorphic components, it costs
// the type checker minutes and gigabytes.
const PlainLink = RouterLink as unknown as FunctionComponent<LinkProps & { activeOptions: typeof EXACT }>;

/** Link to a screen of this application, with its address as plain text. */
export const Link: FunctionComponent<LinkProps> = (props) => <PlainLink activeOptions={EXACT} {...props} />;
