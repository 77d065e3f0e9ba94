import { Link as RouterLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, FunctionComponent, Ref } from 'react';

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string;
  search?: Record<string, string>;
  ref?: Ref<HTMLAnchorElement>;
}

/**
 * A link to a screen of this application, its address as plain text. The router's own type is generic over every
 * route; inside the component library's polymorphic components it takes the type checker minutes and gigabytes.
 */
export const Link = RouterLink as unknown as FunctionComponent<LinkProps>;
