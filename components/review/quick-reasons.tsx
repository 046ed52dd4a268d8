import { useDeskKeyMap } from "#components/shell/key-context.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import { isDoubleClick } from "./is-double-click.ts";

export interface QuickReasonsProps {
  reasons: readonly RejectReason[];
  disabled: boolean;
  /** @param number from 1, equal to the key */
  onReason: (number: number) => void;
  className: string;
}

export function QuickReasons({ reasons, disabled, onReason, className }: QuickReasonsProps) {
  const keys = useDeskKeyMap();
  if (reasons.length === 0) return null;
  return (
    <ol aria-label="Reject with a reason" className={className}>
      {reasons.map(({ id, label }, i) => (
        <li key={id} className="min-w-0">
          <button
            type="button"
            aria-disabled={disabled || undefined}
            aria-keyshortcuts={keys ? String(i + 1) : undefined}
            onClick={(event) => {
              if (!isDoubleClick(event) && !disabled) onReason(i + 1);
            }}
            className="flex min-h-7 w-full min-w-0 items-center gap-2 rounded-md px-1.5 py-1 text-start text-13 transition-colors hover:bg-wash aria-disabled:opacity-50 pointer-coarse:min-h-11"
          >
            {keys ? <Kbd>{i + 1}</Kbd> : null}
            <span dir="auto" className="min-w-0 truncate">
              {label}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
