"use client";
import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import { PaletteHost } from "#components/palette/palette-host.tsx";
import { ClockProvider } from "#components/ui/clock-context.tsx";
import { Toaster } from "#components/ui/toast.tsx";
import { TooltipProvider } from "#components/ui/tooltip.tsx";
import { MemberProvider, type ShellMember } from "./member-context.tsx";

const swr = { dedupingInterval: 2000, focusThrottleInterval: 10_000 };

export interface ConsoleProvidersProps {
  member: ShellMember;
  timeZone: string;
  /** ISO; the moment the server renders. */
  renderedAt: string;
  children: ReactNode;
}

/** What every console page can count on: the member, the clock, tooltips, toasts, the API's cache. */
export function ConsoleProviders({ member, timeZone, renderedAt, children }: ConsoleProvidersProps) {
  return (
    <SWRConfig value={swr}>
      <MemberProvider member={member}>
        <ClockProvider timeZone={timeZone} renderedAt={renderedAt}>
          <TooltipProvider>{children}</TooltipProvider>
          <PaletteHost />
          <Toaster />
        </ClockProvider>
      </MemberProvider>
    </SWRConfig>
  );
}
