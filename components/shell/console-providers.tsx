"use client";
import { useEffect } from "react";
import { PaletteHost } from "#components/palette/palette-host.tsx";
import { ClockProvider } from "#components/ui/clock-context.tsx";
import { Toaster } from "#components/ui/toaster.tsx";
import { memberKey, outboxPrefix } from "#lib/client/desk/outbox-prefix.ts";
import { retryImport } from "#lib/client/retry-import.ts";
import { KeyHost } from "./key-host.tsx";
import { MemberProvider, useMember, type MemberProviderProps } from "./member-context.tsx";

export interface ConsoleProvidersProps extends MemberProviderProps {
  timeZone: string;
  /** ISO time at which the server rendered the page. */
  renderedAt: string;
}

export function ConsoleProviders({ timeZone, renderedAt, children, ...member }: ConsoleProvidersProps) {
  return (
    <MemberProvider {...member}>
      <ClockProvider timeZone={timeZone} renderedAt={renderedAt}>
        {/* Its effect comes first: the desk sends only decisions of the member who has the session. */}
        <UnsentDecisions />
        {children}
        <PaletteHost />
        <KeyHost />
        <Toaster />
      </ClockProvider>
    </MemberProvider>
  );
}

/** Sends decisions that an earlier page left in the outbox. The code loads only if there are any. */
function UnsentDecisions() {
  const { id } = useMember();
  useEffect(() => {
    if (!takeOver(id)) return;
    void retryImport(() => import("#lib/client/desk/shared-outbox.ts")).then(({ outboxOf }) => outboxOf(id));
  }, [id]);
  return null;
}

/** Stops the outboxes of other members. @returns whether there are unsent decisions */
function takeOver(memberId: number): boolean {
  try {
    localStorage.setItem(memberKey, String(memberId));
    return Object.keys(localStorage).some((key) => key.startsWith(outboxPrefix(memberId)));
  } catch {
    return false;
  }
}
