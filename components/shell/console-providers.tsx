"use client";
import type { ReactNode } from "react";
import { PaletteHost } from "#components/palette/palette-host.tsx";
import { ClockProvider } from "#components/ui/clock-context.tsx";
import { Toaster } from "#components/ui/toaster.tsx";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import { KeyHost } from "./key-host.tsx";
import { ReasonsProvider } from "./reasons-context.tsx";
import { UnsentDecisions } from "./unsent-decisions.tsx";
import { MemberProvider, type ShellMember } from "./member-context.tsx";

export interface ConsoleProvidersProps {
  member: ShellMember;
  timeZone: string;
  /** ISO time of the server's rendering. */
  renderedAt: string;
  reasons: readonly RejectReason[];
  children: ReactNode;
}

export function ConsoleProviders(props: ConsoleProvidersProps) {
  const { member, timeZone, renderedAt, reasons, children } = props;
  return (
    <MemberProvider member={member}>
      <ClockProvider timeZone={timeZone} renderedAt={renderedAt}>
        <ReasonsProvider reasons={reasons}>{children}</ReasonsProvider>
        <UnsentDecisions />
        <PaletteHost />
        <KeyHost />
        <Toaster />
      </ClockProvider>
    </MemberProvider>
  );
}
