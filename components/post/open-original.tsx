"use client";
import { ExternalLink } from "lucide-react";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { Tooltip } from "#components/ui/tooltip.tsx";
import { keySign } from "#lib/client/desk/keys.ts";

export function OpenOriginal({ href }: { href: string }) {
  const keys = useDeskKeyMap();
  return (
    <Tooltip content="Open original" {...(keys ? { kbd: keySign(keys.open) } : {})}>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        aria-label="Open original (opens in a new tab)"
        aria-keyshortcuts={keys?.open}
        className={buttonClass("ghost", "sm", "-me-2 -mt-1.5 aspect-square px-0 text-muted hover:text-text")}
      >
        <ExternalLink aria-hidden />
      </a>
    </Tooltip>
  );
}
