"use client";
import { Ban, CircleCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { authorTarget, useBlocking } from "#components/blocking/use-blocking.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";

export interface AuthorBlockProps {
  account: string;
  blocked: boolean;
  /** Id of the block of exactly this account, which can be removed here. */
  ownBlock?: number | undefined;
}

export function AuthorBlock({ account, blocked, ownBlock }: AuthorBlockProps) {
  const [mayReview, mayManage] = [useCan("reviewer"), useCan("admin")];
  const router = useRouter();
  const blocking = useBlocking({ settled: () => router.refresh() });
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
        <Button
          size="sm"
          icon={<Ban aria-hidden />}
          onClick={() => void blocking.block(authorTarget(account, mayManage))}
        >
          Block
        </Button>
      )}
      {blocking.dialog}
    </div>
  );
}
