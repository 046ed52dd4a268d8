"use client";
import type { DeskState } from "#lib/client/desk/state.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import { DeskMessage, type DeskMessageProps } from "./desk-message.tsx";
import { FactBox } from "./fact-box.tsx";
import { HistoryList } from "./history-list.tsx";
import { QuickReasons, type QuickReasonsProps } from "./quick-reasons.tsx";

export interface DeskRailProps
  extends
    Pick<DeskMessageProps, "message" | "onDismiss">,
    Pick<QuickReasonsProps, "reasons" | "disabled" | "onReason"> {
  state: DeskState;
  store: DeskStore | null;
}

/** Beside the card, below its facts, which reach into this column. */
export function DeskRail({ state, store, reasons, disabled, onReason, message, onDismiss }: DeskRailProps) {
  return (
    <div className="relative hidden h-(--side) w-56 shrink-0 flex-col gap-5 self-end aside:flex">
      {reasons.length > 0 ? (
        <FactBox title="Reject with a reason">
          <QuickReasons
            reasons={reasons}
            disabled={disabled}
            onReason={onReason}
            className="-mx-1.5 flex flex-col"
          />
        </FactBox>
      ) : null}
      <DeskMessage
        message={message}
        onDismiss={onDismiss}
        className="hidden shrink-0 has-[>div:empty]:-mb-5 aside:[@media(height>=62.5rem)]:block"
      />
      <section
        aria-label="Recent decisions"
        className="flex min-h-0 flex-1 flex-col gap-1 [@media(height<43.75rem)]:hidden"
      >
        <h2 className="text-12 font-medium text-muted">Recent decisions</h2>
        <div className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1" tabIndex={-1}>
          {store ? <HistoryList state={state} store={store} /> : null}
        </div>
      </section>
    </div>
  );
}
