import { Dialog } from "#components/ui/dialog.tsx";
import type { Entry } from "#lib/client/desk/history.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import { HistoryList } from "./history-list.tsx";
import { QuickReasons, type QuickReasonsProps } from "./quick-reasons.tsx";

interface SheetProps {
  onClose: () => void;
}

export function HistorySheet({
  history,
  store,
  onClose,
}: SheetProps & { history: readonly Entry[]; store: DeskStore }) {
  return (
    <Dialog side="end" open onOpenChange={(open) => !open && onClose()} title="Recent decisions">
      <HistoryList history={history} store={store} />
    </Dialog>
  );
}

/** The reasons on screens without the side column. */
export function ReasonSheet({
  reasons,
  onReason,
  onClose,
}: SheetProps & Pick<QuickReasonsProps, "reasons" | "onReason">) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} side="bottom" title="Reject with a reason">
      {reasons.length === 0 ? (
        <p className="text-13 text-muted">No reasons. An admin adds them under Settings → Team.</p>
      ) : null}
      <QuickReasons
        reasons={reasons}
        disabled={false}
        onReason={(number) => {
          onClose();
          onReason(number);
        }}
        className="flex flex-col"
      />
    </Dialog>
  );
}
