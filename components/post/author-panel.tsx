"use client";
import { Ban } from "lucide-react";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { useAuthorActs } from "#components/review/use-author-acts.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { SegmentedControl } from "#components/ui/choice.tsx";
import { Panel } from "#components/ui/card.tsx";
import { words } from "#components/words/en.ts";
import type { PostFile } from "#lib/review/desk-schema.ts";
import type { Standing } from "#lib/review/schema.ts";
import { AuthorHistory } from "./author-history.tsx";

const w = words.post;

/** The author's history here, with their standing and a block. */
export function AuthorPanel({ post }: { post: PostFile }) {
  const router = useRouter();
  const mayManage = useCan("admin");
  // The page is rendered again by the server: nothing has to be marked before its answer.
  const marks = useMemo(() => {
    const again = () => router.refresh();
    return { standing: () => undefined, blocked: () => undefined, blockedHashtag: () => undefined, again };
  }, [router]);
  const acts = useAuthorActs(marks);
  const { standing } = post.author_history;
  return (
    <Panel title={w.authorHere}>
      <div className="flex flex-col gap-3">
        <AuthorHistory history={post.author_history} blocked={post.author_blocked} />
        {mayManage ? (
          <div className="flex flex-wrap items-center gap-2">
            <SegmentedControl
              label={w.standing}
              value={standing}
              onChange={(to) =>
                void acts.stand(post.author_account, to as Standing, standing).then(marks.again)
              }
              options={[
                { value: "none", label: w.standingNone },
                { value: "trusted", label: w.trusted },
                { value: "muted", label: w.muted },
              ]}
            />
            {post.author_blocked ? null : (
              <Button
                size="sm"
                icon={<Ban aria-hidden />}
                onClick={() => void acts.blockAuthor(post.author_account).then(marks.again)}
              >
                {w.block}
              </Button>
            )}
          </div>
        ) : null}
      </div>
    </Panel>
  );
}
