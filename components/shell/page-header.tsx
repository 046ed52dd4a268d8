import { ChevronLeft } from "lucide-react";
import NextLink from "next/link";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";

export interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
  children?: ReactNode;
  className?: string;
}

/** Contains the page's only h1. */
export function PageHeader({ title, description, actions, back, children, className }: PageHeaderProps) {
  return (
    <header className={cn("mb-4 desk:mb-6", className)}>
      {back ? <BackLink {...back} /> : null}
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="text-20 font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {description ? <p className="mt-0.5 text-14 text-muted">{description}</p> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </div>
      {children ? <div className="mt-4">{children}</div> : null}
    </header>
  );
}

function BackLink({ href, label }: NonNullable<PageHeaderProps["back"]>) {
  return (
    <NextLink
      href={href}
      className="-ms-1 -mt-1 inline-flex items-center gap-0.5 rounded-sm py-1 text-13 text-muted hover:text-text pointer-coarse:min-h-11"
    >
      <ChevronLeft aria-hidden className="size-4" />
      {label}
    </NextLink>
  );
}
