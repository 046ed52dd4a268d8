"use client";
import { Ban, CircleCheck } from "lucide-react";
import { authorTarget } from "#components/blocking/author-target.ts";
import { LazyReachDialog } from "#components/blocking/reach-dialog-lazy.tsx";
import { useBlocking } from "#components/blocking/use-blocking.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { usePageOffer } from "#components/shell/page-offers.ts";
import { Button } from "#components/ui/button.tsx";

export interface AuthorBlockProps {
  account: string;
  blocked: boolean;
  /** Block-list entry of this author, removable here. */
  ownBlock?: number | undefined;
  /** Called after a block or an unblock. */
  onSettled: () => void;
}

export function AuthorBlock({ account, blocked, ownBlock, onSettled }: AuthorBlockProps) {
  const [mayReview, mayManage] = [useCan("reviewer"), useCan("admin")];
  const blocking = useBlocking({ settled: onSettled });
  const block = () => void blocking.block(authorTarget(account, mayManage));
  usePageOffer(() => ({
    about:
      mayReview && !blocked
        ? {
            name: account,
            actions: [{ id: "author block", name: `Block ${account}`, icon: Ban, run: block }],
          }
        : null,
  }));
  if (!mayReview) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {ownBlock === undefined ? null : (
        <Button
          size="sm"
          icon={<CircleCheck aria-hidden />}
          onClick={() => void blocking.unblock("user", ownBlock, account)}
        >
          Unblock
        </Button>
      )}
      {blocked ? null : (
        <Button size="sm" icon={<Ban aria-hidden />} onClick={block}>
          Block
        </Button>
      )}
      {blocking.question ? <LazyReachDialog question={blocking.question} onClose={blocking.close} /> : null}
    </div>
  );
}
