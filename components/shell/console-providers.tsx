"use client";
import type { ReactNode } from "react";
import { ActionsHost } from "#components/actions/actions-host.tsx";
import { PaletteHost } from "#components/palette/palette-host.tsx";
import { ClockProvider } from "#components/ui/clock-context.tsx";
import { Toaster } from "#components/ui/toast.tsx";
import { KeyHost } from "./key-host.tsx";
import type { KeyMap } from "#lib/desk/keys.ts";
import { UnsentDecisions } from "./unsent-decisions.tsx";
import { MemberProvider, type ShellMember } from "./member-context.tsx";

export interface ConsoleProvidersProps {
  member: ShellMember;
  timeZone: string;
  /** ISO time of the server's rendering. */
  renderedAt: string;
  keys: KeyMap;
  children: ReactNode;
}

export function ConsoleProviders({ member, timeZone, renderedAt, keys, children }: ConsoleProvidersProps) {
  return (
    <MemberProvider member={member}>
      <ClockProvider timeZone={timeZone} renderedAt={renderedAt}>
        {children}
        <UnsentDecisions />
        <PaletteHost />
        <KeyHost />
        <ActionsHost keys={keys} />
        <Toaster />
      </ClockProvider>
    </MemberProvider>
  );
}
