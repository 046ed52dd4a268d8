"use client";
import { formatCount } from "#components/format.ts";
import { Check, X } from "lucide-react";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { cn } from "#components/ui/cn.ts";
import { keySign } from "#lib/client/desk/keys.ts";
import type { Selection } from "./use-selection.ts";
import type { Verdict } from "./use-batch.ts";

export interface BulkBarProps {
  selection: Selection;
  /** A table has the checkbox in its header. */
  withBox: boolean;
  shown: readonly number[];
  open: readonly number[];
  /** A batch is under way, or its answer has just replaced the posts. */
  pending: Verdict | null;
  onDecide: (decision: Verdict, ids: readonly number[]) => void;
}

export function BulkBar({ selection, withBox, shown, open, pending, onDecide }: BulkBarProps) {
  const keys = useDeskKeyMap();
  const { ids } = selection;
  const count = ids.size;
  const rest = open.filter((id) => !ids.has(id));
  return (
    <div
      role="group"
      aria-label="Actions"
      className="sticky top-0 z-20 -mx-4 flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-bg px-4 py-2 desk:-mx-2 desk:px-2"
    >
      {withBox ? (
        <Checkbox
          label={
            count > 0 ? (
              `${formatCount(count)} selected`
            ) : (
              <>
                <span className="max-desk:hidden">Select the {formatCount(shown.length)} shown</span>
                <span className="desk:hidden">All shown</span>
              </>
            )
          }
          checked={count > 0 && count === shown.length}
          indeterminate={count > 0 && count < shown.length}
          onChange={() => selection.setPage(count < shown.length)}
        />
      ) : count > 0 ? (
        <span className="tabular text-14">{formatCount(count)} selected</span>
      ) : null}
      {count === 0 ? (
        <span className="text-13 text-muted max-wide:hidden pointer-coarse:hidden">
          {keys ? "Arrows move, X selects, Shift extends, Space previews" : "Hold Shift to select a range"}
        </span>
      ) : (
        <Button size="sm" variant="ghost" onClick={selection.clear}>
          Clear selection
        </Button>
      )}
      <div
        className={cn(
          "ms-auto flex flex-wrap items-center gap-2",
          count > 0 && "max-desk:grid max-desk:w-full max-desk:grid-cols-2",
        )}
      >
        {count > 0 ? (
          <>
            <Button
              size="sm"
              variant="reject"
              icon={<X aria-hidden />}
              pending={pending !== null}
              {...(keys ? { kbd: keySign(keys.reject) } : {})}
              onClick={() => onDecide("reject", [...ids])}
            >
              Reject {formatCount(count)}
            </Button>
            <Button
              size="sm"
              variant="approve"
              icon={<Check aria-hidden />}
              pending={pending !== null}
              {...(keys ? { kbd: keySign(keys.approve) } : {})}
              onClick={() => onDecide("approve", [...ids])}
            >
              Approve {formatCount(count)}
            </Button>
          </>
        ) : null}
        {rest.length > 0 ? (
          <>
            {count > 0 ? <span aria-hidden className="h-5 w-px bg-line max-desk:hidden" /> : null}
            <Button
              size="sm"
              icon={<X aria-hidden />}
              pending={pending !== null}
              onClick={() => onDecide("reject", rest)}
            >
              {count > 0 ? (
                `Reject the rest (${formatCount(rest.length)})`
              ) : (
                <ShownCount
                  long={`Reject the ${formatCount(rest.length)} shown`}
                  short={`Reject ${formatCount(rest.length)}`}
                />
              )}
            </Button>
            <Button
              size="sm"
              icon={<Check aria-hidden />}
              pending={pending !== null}
              onClick={() => onDecide("approve", rest)}
            >
              {count > 0 ? (
                `Approve the rest (${formatCount(rest.length)})`
              ) : (
                <ShownCount
                  long={`Approve the ${formatCount(rest.length)} shown`}
                  short={`Approve ${formatCount(rest.length)}`}
                />
              )}
            </Button>
          </>
        ) : null}
      </div>
    </div>
  );
}

/** On phones the count is enough. */
function ShownCount({ long, short }: { long: string; short: string }) {
  return (
    <>
      <span className="max-desk:hidden">{long}</span>
      <span className="desk:hidden">{short}</span>
    </>
  );
}
