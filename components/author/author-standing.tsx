"use client";
import { Ban, CircleCheck, Star } from "lucide-react";
import { LazyReachDialog } from "#components/blocking/reach-dialog-lazy.tsx";
import { useBlocking } from "#components/blocking/use-blocking.ts";
import { useUnblock } from "#components/blocking/use-unblock.ts";
import { authorTarget, useAuthorActions, type CardMarks } from "#components/review/use-author-actions.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { usePageOffer } from "#components/shell/page-offers.ts";
import { Button } from "#components/ui/button.tsx";
import { SegmentedControl } from "#components/ui/choice.tsx";
import { words } from "#components/words/en.ts";
import type { Standing } from "#lib/review/author-schema.ts";

const w = words.post;

export interface AuthorStandingProps {
  account: string;
  standing: Standing;
  blocked: boolean;
  /** Block-list entry of this author, removable here. */
  ownBlock?: number | undefined;
  marks: CardMarks;
}

export function AuthorStanding({ account, standing, blocked, ownBlock, marks }: AuthorStandingProps) {
  const [mayReview, mayManage] = [useCan("reviewer"), useCan("admin")];
  const acts = useAuthorActions(marks);
  const blocking = useBlocking(marks.settled ? { settled: marks.settled } : {});
  const unblock = useUnblock(blocking);
  const trusts = standing === "trusted";
  usePageOffer(() => ({
    about: mayReview
      ? {
          name: account,
          actions: [
            ...(!mayManage || (blocked && !trusts)
              ? []
              : [
                  {
                    id: "author trust",
                    name: trusts ? words.palette.untrustAuthor(account) : words.palette.trustAuthor(account),
                    icon: Star,
                    run: () => void acts.stand(account, trusts ? "none" : "trusted", standing),
                  },
                ]),
            ...(blocked
              ? []
              : [
                  {
                    id: "author block",
                    name: words.palette.blockAuthor(account),
                    icon: Ban,
                    run: () => void blocking.block(authorTarget(account, mayManage)),
                  },
                ]),
          ],
        }
      : null,
  }));
  if (!mayReview) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {mayManage ? (
        <SegmentedControl
          label={words.postPage.standing}
          value={standing}
          onChange={(to) => void acts.stand(account, to as Standing, standing)}
          options={[
            { value: "none", label: words.postPage.standingNone },
            { value: "trusted", label: w.trusted, ...(blocked ? { disabled: true } : {}) },
            { value: "muted", label: w.muted },
          ]}
        />
      ) : null}
      {ownBlock === undefined ? null : (
        <Button
          size="sm"
          icon={<CircleCheck aria-hidden />}
          onClick={() => void unblock("user", ownBlock, account)}
        >
          {words.postPage.unblock}
        </Button>
      )}
      {blocked ? null : (
        <Button
          size="sm"
          icon={<Ban aria-hidden />}
          onClick={() => void blocking.block(authorTarget(account, mayManage))}
        >
          {w.block}
        </Button>
      )}
      {blocking.question ? <LazyReachDialog question={blocking.question} onClose={blocking.close} /> : null}
    </div>
  );
}
