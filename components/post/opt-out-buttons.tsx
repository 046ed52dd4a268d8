"use client";
import { useRouter } from "next/navigation";
import { LazyReachDialog } from "#components/blocking/reach-dialog-lazy.tsx";
import { useOptOut, type OptOutResolution } from "#components/blocking/use-opt-out.ts";
import { Button } from "#components/ui/button.tsx";
import { words } from "#components/words/en.ts";

const w = words.optOuts;

export interface OptOutButtonsProps {
  account: string;
  size?: "sm" | "md";
  /** By default the page is rendered again. */
  onChange?: (made?: OptOutResolution) => void;
}

/** Confirming deletes the author's posts and blocks the author. Dismissing releases their posts. */
export function OptOutButtons({ account, size = "sm", onChange }: OptOutButtonsProps) {
  const router = useRouter();
  const optOut = useOptOut(account, onChange ?? (() => router.refresh()));
  return (
    <div className="flex flex-wrap gap-2">
      {(["dismissed", "confirmed"] as const).map((resolution) => (
        <Button
          key={resolution}
          size={size}
          aria-label={`${w.action[resolution]}: ${account}`}
          onClick={() => optOut.decide(resolution)}
        >
          {w.action[resolution]}
        </Button>
      ))}
      {optOut.question ? <LazyReachDialog question={optOut.question} onClose={optOut.close} /> : null}
    </div>
  );
}
