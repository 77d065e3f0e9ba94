import { Link as RouterLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, FunctionComponent, Ref } from 'react';

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string;
  search?: Record<string, string>;
  ref?: Ref<HTMLAnchorElement>;
}

/**
 * Link to a screen of this application, with its address as plain text. The router's own type is generic over every
 * route. Inside the component library's polymorphic components, it costs the type checker minutes and gigabytes.
 */
export const Link = RouterLink as unknown as FunctionComponent<LinkProps>;
