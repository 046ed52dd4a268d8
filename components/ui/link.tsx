import { ArrowUpRight } from "lucide-react";
import NextLink from "next/link";
import type { ReactNode } from "react";
import { cn } from "./cn.ts";

export interface LinkProps {
  href: string;
  children: ReactNode;
  external?: boolean;
  tone?: "accent" | "plain" | "muted";
  className?: string;
  title?: string;
  prefetch?: boolean;
  dir?: "auto";
  tabIndex?: number | undefined;
  "aria-label"?: string;
}

const tones = {
  accent: "text-accent underline decoration-accent/40 hover:decoration-current",
  plain: "text-inherit hover:underline",
  muted: "text-muted hover:text-text hover:underline",
};

export function Link({ href, children, external = false, tone = "accent", className, ...rest }: LinkProps) {
  // Padding makes the target 24 px high without a taller line.
  const look = cn("-my-1.25 rounded-sm py-1.25 underline-offset-2 transition-colors", tones[tone], className);
  if (!external) {
    return (
      <NextLink href={href} className={look} {...rest}>
        {children}
      </NextLink>
    );
  }
  const { prefetch: _unused, ...attributes } = rest;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={look} {...attributes}>
      {children}
      <ArrowUpRight aria-hidden className="ms-0.5 inline size-3.5 align-[-0.125em]" />
      <span className="hidden-visually"> (opens in a new tab)</span>
    </a>
  );
}
