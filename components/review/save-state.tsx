import { ButtonLink } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/states.tsx";
import type { OutboxState, OutboxStatus } from "#lib/client/desk/outbox.ts";

/** Number of unsaved decisions. Empty if everything is saved; "Saving" appears after a moment. */
export function SaveState({ state: { status, waiting } }: { state: OutboxState }) {
  const held = status !== "saved" && status !== "sending";
  return (
    <p
      key={status}
      data-outbox={status}
      data-waiting={waiting}
      className={`tabular ms-auto text-13 whitespace-nowrap ${held ? "font-medium text-warn" : "text-muted"}`}
    >
      {status === "saved" ? null : (
        <span className="animate-skeleton">{held ? `${waiting} waiting` : `Saving ${waiting}`}</span>
      )}
    </p>
  );
}

const later = "Decisions are stored in this browser and sent when the connection is back.";
const notices: Partial<Record<OutboxStatus, [title: string, text: string]>> = {
  offline: ["No connection.", later],
  trouble: ["Server error.", later],
  signed_out: ["Signed out.", "Sign in again to send your decisions. Nothing is lost."],
  forbidden: ["Your role no longer allows reviewing.", "Unsent decisions stay in this browser."],
};

export function OutboxNotice({ state: { status, at_risk } }: { state: OutboxState }) {
  if (at_risk)
    return (
      <Notice tone="reject">
        This browser does not store data. Keep the tab open until everything is saved.
      </Notice>
    );
  const notice = notices[status];
  if (!notice) return null;
  const signIn = (
    <ButtonLink href="/sign-in?callbackUrl=%2Freview" size="sm" prefetch={false}>
      Sign in
    </ButtonLink>
  );
  return (
    <Notice tone="warn" {...(status === "signed_out" ? { action: signIn } : {})}>
      <span className="font-medium">{notice[0]}</span> {notice[1]}
    </Notice>
  );
}
