"use client";
import { Check, X } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { words } from "#components/words/en.ts";
import { keySign } from "#lib/desk/keys.ts";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";
import type { Selection } from "./use-selection.ts";
import type { BatchTarget, Verdict } from "./use-batch.ts";

export interface BulkBarProps {
  selection: Selection;
  /** A table has the checkbox in its header. */
  withBox: boolean;
  shown: readonly number[];
  open: readonly number[];
  total: number | null;
  pending: Verdict | null;
  /** Null without a filter or a known count. */
  everything: BatchTarget | null;
  onDecide: (verdict: Verdict, target: BatchTarget) => void;
}

const w = words.reviewTools;

export function BulkBar({
  selection,
  withBox,
  shown,
  open,
  total,
  pending,
  everything,
  onDecide,
}: BulkBarProps) {
  const keys = useDeskKeyMap();
  const { ids } = selection;
  const count = selection.everything ? (total ?? ids.size) : ids.size;
  const rest = open.filter((id) => !ids.has(id));
  const target: BatchTarget = selection.everything && everything ? everything : { post_ids: [...ids] };
  const whole = ids.size === shown.length && total !== null && total > shown.length && everything !== null;
  return (
    <div
      role="group"
      aria-label={words.common.actions}
      className="sticky top-0 z-20 -mx-4 flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-bg px-4 py-2 desk:-mx-2 desk:px-2"
    >
      {withBox ? (
        <Checkbox
          label={
            ids.size > 0 ? (
              w.selected(count)
            ) : (
              <span className="max-desk:hidden-visually">{w.selectPage}</span>
            )
          }
          checked={ids.size > 0 && ids.size === shown.length}
          indeterminate={ids.size > 0 && ids.size < shown.length}
          onChange={() => selection.setPage(ids.size < shown.length)}
        />
      ) : ids.size > 0 ? (
        <span className="tabular text-14">{w.selected(count)}</span>
      ) : null}
      {whole && !selection.everything ? (
        <Button size="sm" variant="ghost" onClick={selection.setEverything}>
          {w.selectMatching(total)}
        </Button>
      ) : null}
      {ids.size === 0 ? (
        <span className="text-13 text-muted pointer-coarse:hidden">{w.selectHint}</span>
      ) : (
        <Button size="sm" variant="ghost" onClick={selection.clear}>
          {w.selectionClear}
        </Button>
      )}
      <div className="ms-auto flex flex-wrap items-center gap-2">
        {ids.size > 0 ? (
          <>
            <Button
              size="sm"
              variant="reject"
              icon={<X aria-hidden />}
              pending={pending === "reject"}
              {...(keys ? { kbd: keySign(keys.reject) } : {})}
              onClick={() => onDecide("reject", target)}
            >
              {w.rejectSelected(count)}
            </Button>
            <Button
              size="sm"
              variant="approve"
              icon={<Check aria-hidden />}
              pending={pending === "approve"}
              {...(keys ? { kbd: keySign(keys.approve) } : {})}
              onClick={() => onDecide("approve", target)}
            >
              {w.approveSelected(count)}
            </Button>
          </>
        ) : null}
        {rest.length > 0 && !selection.everything ? (
          <>
            {ids.size > 0 ? <span aria-hidden className="h-5 w-px bg-line max-desk:hidden" /> : null}
            <Button
              size="sm"
              icon={<X aria-hidden />}
              onClick={() => onDecide("reject", { post_ids: rest })}
              aria-disabled={pending !== null || undefined}
            >
              {ids.size > 0 ? w.rejectRest(rest.length) : w.rejectAll(rest.length)}
            </Button>
            <Button
              size="sm"
              icon={<Check aria-hidden />}
              onClick={() => onDecide("approve", { post_ids: rest })}
              aria-disabled={pending !== null || undefined}
            >
              {ids.size > 0 ? w.approveRest(rest.length) : w.approveAll(rest.length)}
            </Button>
          </>
        ) : null}
      </div>
    </div>
  );
}
