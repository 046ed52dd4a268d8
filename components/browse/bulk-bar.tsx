import { Check, X } from "lucide-react";
import { useDeskKeyMap } from "#components/shell/key-context.tsx";
import { formatCount, plural } from "#components/format.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { keySign } from "#lib/client/desk/keys.ts";
import type { BatchCount } from "#lib/review/batch-schema.ts";
import type { BatchOrder, Verdict } from "./use-decisions.ts";

export interface BulkBarProps {
  ids: readonly number[];
  selected: ReadonlySet<number>;
  /** A batch runs, or its answer has just replaced the posts. */
  pending: boolean;
  onSelect: (ids: readonly number[]) => void;
  onDecide: (decision: Verdict) => void;
}

/** Selects posts, and decides on the selected ones. */
export function BulkBar({ ids, selected, pending, onSelect, onDecide }: BulkBarProps) {
  const keys = useDeskKeyMap();
  const count = selected.size;
  const rest = ids.filter((id) => !selected.has(id));
  return (
    <div
      role="group"
      aria-label="Actions"
      className="sticky top-0 z-20 -mx-4 flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-bg px-4 py-2 desk:-mx-2 desk:px-2"
    >
      <Checkbox
        label={count > 0 ? `${formatCount(count)} selected` : `Select the ${formatCount(ids.length)} shown`}
        checked={count > 0 && rest.length === 0}
        indeterminate={count > 0 && rest.length > 0}
        onChange={() => onSelect(rest.length > 0 ? ids : [])}
      />
      {count === 0 ? (
        <span className="text-13 text-muted max-wide:hidden pointer-coarse:hidden">
          {keys ? "Arrows move, X selects, Shift extends" : "Hold Shift to select a range"}
        </span>
      ) : (
        <>
          {rest.length > 0 ? (
            <Button size="sm" variant="ghost" onClick={() => onSelect(rest)}>
              Select the rest
            </Button>
          ) : null}
          <div className="ms-auto grid grid-cols-2 gap-2 max-desk:w-full">
            {(["reject", "approve"] as const).map((verdict) => (
              <Button
                key={verdict}
                size="sm"
                variant={verdict}
                icon={verdict === "reject" ? <X aria-hidden /> : <Check aria-hidden />}
                pending={pending}
                {...(keys ? { kbd: keySign(keys[verdict]) } : {})}
                onClick={() => onDecide(verdict)}
              >
                {verdict === "reject" ? "Reject" : "Approve"} {formatCount(count)}
              </Button>
            ))}
          </div>
        </>
      )}
    </div>
  );
}

export interface BatchQuestion {
  order: BatchOrder;
  counted: BatchCount;
  /** Number of selected posts left out, because their pictures were not seen. */
  unseen: number;
}

export function BatchDialog({
  question: { order, counted, unseen },
  onConfirm,
  onClose,
}: {
  question: BatchQuestion;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const verb = order.decision === "approve" ? "Approve" : "Reject";
  const { changed, unchanged } = counted;
  return (
    <AlertDialog
      open
      tone={order.decision === "approve" ? "primary" : "danger"}
      onOpenChange={(open) => !open && onClose()}
      title={`${verb} ${plural(changed, "post", "posts")}?`}
      description={
        <>
          <p>One undo restores all of them.</p>
          {unseen === 0 ? null : (
            <p className="mt-1 text-warn">
              {plural(unseen, "post is", "posts are")} left out, because not all pictures have been on the
              screen uncovered.
            </p>
          )}
          {unchanged.length === 0 ? null : (
            <p className="mt-1">
              {plural(unchanged.length, "post stays as it is", "posts stay as they are")}:{" "}
              {unchanged[0]?.detail}
            </p>
          )}
        </>
      }
      confirm={`${verb} ${formatCount(changed)}`}
      onConfirm={onConfirm}
    />
  );
}
