"use client";
import { optOutVerbs } from "#components/words.ts";
import { plural } from "#components/format.ts";
import { useRouter } from "next/navigation";
import { LazyReachDialog } from "#components/blocking/reach-dialog-lazy.tsx";
import { useOptOut } from "#components/blocking/use-opt-out.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { authorHref } from "#lib/client/author-href.ts";
import type { OptOut, OptOutList } from "#lib/collect/opt-out-schema.ts";

/** Authors whom a bot reported. Their posts are held until a member decides here. */
export function ReportedOptOuts({ optOuts: { items, total } }: { optOuts: OptOutList }) {
  return (
    <Panel
      id="opt-outs"
      title="Reported opt-outs"
      description={`${plural(total, "author", "authors")} reported by a boost bot. Their posts are held until somebody decides.`}
      flush
    >
      <ul className="divide-y divide-line">
        {items.map((optOut) => (
          <Reported key={optOut.account} optOut={optOut} />
        ))}
      </ul>
    </Panel>
  );
}

/** Confirming deletes the author's posts and blocks the author. Dismissing releases their posts. */
function Reported({ optOut: { account, held, reason, reported_at } }: { optOut: OptOut }) {
  const router = useRouter();
  const mayDecide = useCan("reviewer");
  const { decide, question, close } = useOptOut(account, () => router.refresh());
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-52 wrap-anywhere">
        <Link href={authorHref(account)} tone="plain" className="text-14 font-medium">
          {account}
        </Link>
        <p className="text-13 text-muted">
          {plural(held, "post", "posts")} held, reported <RelativeTime at={reported_at} />
          {reason === "" ? null : `: ${reason}`}
        </p>
      </div>
      {mayDecide ? (
        <div className="flex flex-wrap gap-2">
          {(["dismissed", "confirmed"] as const).map((resolution) => (
            <Button
              key={resolution}
              size="sm"
              aria-label={`${optOutVerbs[resolution]}: ${account}`}
              onClick={() => decide(resolution)}
            >
              {optOutVerbs[resolution]}
            </Button>
          ))}
        </div>
      ) : null}
      {question ? <LazyReachDialog question={question} onClose={close} /> : null}
    </li>
  );
}
