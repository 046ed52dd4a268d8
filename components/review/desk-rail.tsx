import type { DeskState } from "#lib/client/desk/desk.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import { Fact } from "./deck-card.tsx";
import { HistoryList } from "./history-list.tsx";
import { QuickReasons, type QuickReasonsProps } from "./quick-reasons.tsx";

/** The side column below the facts of the card: reasons and recent decisions. */
export function DeskRail({
  state,
  store,
  ...reasons
}: Omit<QuickReasonsProps, "className"> & { state: DeskState; store: DeskStore | null }) {
  return (
    <div className="absolute -end-2 top-(--facts) -bottom-15 hidden w-60 flex-col gap-3 overflow-y-auto px-2 aside:flex">
      {reasons.reasons.length > 0 ? (
        <Fact title="Reject with a reason">
          <QuickReasons {...reasons} className="-mx-1.5 flex flex-col" />
        </Fact>
      ) : null}
      <section aria-label="Recent decisions" className="flex shrink-0 flex-col gap-1">
        <h2 className="text-12 font-medium text-muted">Recent decisions</h2>
        <div tabIndex={-1}>
          {store ? <HistoryList history={state.history} store={store} limit={3} /> : null}
        </div>
      </section>
    </div>
  );
}
