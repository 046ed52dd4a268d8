"use client";
import { useRouter } from "next/navigation";
import { formatCount, plural } from "#components/format.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { optOutVerbs } from "#components/words.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { authorHref } from "#lib/client/author-href.ts";
import type { OptOut, OptOutList, OptOutReach } from "#lib/collect/opt-out-schema.ts";
import { useQuestion, type ReachQuestion } from "./use-question.tsx";

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
  const { decide, dialog } = useOptOut(account, () => router.refresh());
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
      {dialog}
    </li>
  );
}

type Resolution = "confirmed" | "dismissed";

/** Asks for confirmation, with the numbers of posts, before a decision that affects several posts or deletes one. */
function useOptOut(account: string, onChange: () => void) {
  const { start, dialog } = useQuestion();
  const send = <Answer,>(resolution: Resolution, query = "") =>
    apiFetch<Answer>(`/opt-outs/${encodeURIComponent(account)}${query}`, {
      method: "PUT",
      body: { resolution },
    });
  const failed = (thrown: unknown) => {
    const failure = asFailure(thrown);
    notifyFailed("The decision failed", failure);
    // Somebody else has decided meanwhile.
    if (failure.status === 404) onChange();
  };
  const apply = async (resolution: Resolution): Promise<void> => {
    await send(resolution);
    notifyDone(
      resolution === "confirmed"
        ? `${account} is forgotten and blocked`
        : `Posts by ${account} are no longer held`,
    );
    onChange();
  };
  const ask = async (resolution: Resolution): Promise<ReachQuestion | void> => {
    const { released, held, deleted } = await send<OptOutReach>(resolution, "?dry_run=true");
    if (released + held <= 1 && deleted === 0) return apply(resolution);
    const choice =
      resolution === "confirmed"
        ? {
            title: `Confirm the opt-out of ${account}?`,
            lines: [
              `Deletes all stored posts of this author (${formatCount(deleted)}), with pictures, notes and history texts.`,
              `Blocks ${account}.`,
            ],
          }
        : {
            title: `Is the report about ${account} wrong?`,
            lines: [
              `Returns ${plural(released, "approved post", "approved posts")} to the queue.`,
              ...(held > 0
                ? [`${plural(held, "approved post stays", "approved posts stay")} held for another reason.`]
                : []),
            ],
          };
    const run = () => start(() => apply(resolution), failed);
    return { action: optOutVerbs[resolution], choices: [{ ...choice, run }] };
  };
  return { dialog, decide: (resolution: Resolution) => void start(() => ask(resolution), failed) };
}
