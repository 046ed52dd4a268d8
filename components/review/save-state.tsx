"use client";
import { Check, CloudOff, CloudUpload, LogIn, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { Notice } from "#components/ui/states.tsx";
import type { OutboxState, OutboxStatus } from "#lib/client/desk/outbox.ts";

const icons: Record<OutboxStatus, ReactNode> = {
  saved: <Check aria-hidden />,
  sending: <CloudUpload aria-hidden />,
  offline: <CloudOff aria-hidden />,
  trouble: <TriangleAlert aria-hidden />,
  signed_out: <LogIn aria-hidden />,
  forbidden: <TriangleAlert aria-hidden />,
};

export function SaveState({ state }: { state: OutboxState }) {
  const { status, waiting } = state;
  const held = status !== "saved" && status !== "sending";
  return (
    <p
      data-outbox={status}
      data-waiting={waiting}
      className={cn(
        "tabular flex items-center gap-1.5 text-13 whitespace-nowrap [&_svg]:size-4 [&_svg]:shrink-0",
        held ? "font-medium text-warn" : "text-muted",
      )}
    >
      {icons[status]}
      {held ? (
        `${waiting} waiting`
      ) : (
        <span className="max-[26rem]:hidden-visually">
          {status === "saved" ? "Saved" : `Saving ${waiting}`}
        </span>
      )}
    </p>
  );
}

export function OutboxNotice({ state }: { state: OutboxState }) {
  const { status, at_risk } = state;
  if (at_risk)
    return (
      <Notice tone="reject">
        This browser does not store data. Keep the tab open until everything is saved.
      </Notice>
    );
  if (status === "offline") {
    return (
      <Notice tone="warn" icon={<CloudOff aria-hidden className="mt-px size-4 shrink-0" />}>
        <span className="font-medium">No connection.</span> Decisions are stored in this browser and sent when
        the connection is back.
      </Notice>
    );
  }
  if (status === "trouble") {
    return (
      <Notice tone="warn">
        <span className="font-medium">Server error.</span> Decisions are stored in this browser and sent when
        the connection is back.
      </Notice>
    );
  }
  if (status === "forbidden")
    return (
      <Notice tone="reject">
        Your role no longer allows reviewing. Unsent decisions stay in this browser.
      </Notice>
    );
  if (status === "signed_out") {
    return (
      <Notice
        tone="warn"
        action={
          <ButtonLink href="/sign-in?callbackUrl=%2Freview" size="sm" prefetch={false}>
            Sign in
          </ButtonLink>
        }
      >
        <span className="font-medium">Signed out.</span> Sign in again to send your decisions. Nothing is
        lost.
      </Notice>
    );
  }
  return null;
}
