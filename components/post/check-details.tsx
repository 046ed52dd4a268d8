"use client";
import { Clock, RefreshCw } from "lucide-react";
import { useState } from "react";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { CheckedAgain, Score } from "#lib/checks/score/schema.ts";
import { CheckLines } from "./check-lines.tsx";
import { resultText } from "./check-result.tsx";
import { PictureScores } from "./picture-scores.tsx";

const w = words.postChecks;

export interface CheckDetailsProps {
  postId: number;
  /** From the server's rendering. */
  first?: Score;
  /** Without figures of the models, which are on the page of the post. */
  isBrief?: boolean;
  /** After the post was checked again. */
  onChecked?: (() => void) | undefined;
}

export function CheckDetails({ postId, first, isBrief = false, onChecked }: CheckDetailsProps) {
  const { data, failure, reload, refreshing } = useApi<Score>(`/posts/${postId}/score`, {
    refreshOnFocus: false,
    ...(first === undefined ? {} : { fallback: first }),
  });
  const mayCheck = useCan("reviewer");
  if (failure && !data)
    return (
      <ErrorState title={w.failed} failure={failure} onRetry={() => void reload()} retrying={refreshing} />
    );
  if (!data) return <SkeletonRows rows={4} columns={2} />;
  return (
    <div className="flex flex-col gap-5">
      <CheckLines checks={data.checks} isBrief={isBrief} />
      {data.picture_state === "waiting" ? (
        <p className="flex items-center gap-1.5 text-13 text-muted">
          <Clock aria-hidden className="size-4 shrink-0" />
          {w.picturesWaiting}
        </p>
      ) : null}
      {isBrief ? null : <PictureScores pictures={data.pictures} />}
      {mayCheck ? (
        <CheckAgain
          before={data}
          onChecked={(now) => {
            void reload(now, { revalidate: false });
            onChecked?.();
          }}
        />
      ) : null}
    </div>
  );
}

function CheckAgain({ before, onChecked }: { before: Score; onChecked: (now: Score) => void }) {
  const [said, setSaid] = useState("");
  const check = useMutation(
    () => apiFetch<CheckedAgain>(`/posts/${before.post_id}/score`, { method: "POST" }),
    {
      onDone: (now) => {
        setSaid(outcome(before, now));
        onChecked(now);
      },
      onFailed: (failure) => setSaid(`${w.againFailed}: ${failure.detail}`),
    },
  );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        size="sm"
        icon={<RefreshCw aria-hidden />}
        pending={check.pending}
        onClick={() => {
          setSaid("");
          void check.run(undefined);
        }}
      >
        {w.again}
      </Button>
      <p role="status" className="min-w-0 flex-1 basis-40 text-13 wrap-anywhere">
        {said}
      </p>
    </div>
  );
}

function outcome(before: Score, now: CheckedAgain): string {
  const [was, is] = [resultText(before), resultText(now)];
  const result = was === is ? w.againSame : w.againChanged(is);
  return now.queued ? `${result} ${w.againQueued}` : result;
}
