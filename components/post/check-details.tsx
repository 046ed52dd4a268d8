"use client";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { BatchScore, Checks } from "#lib/checks/score/schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { ShownPost } from "#lib/review/shown-post-schema.ts";
import { CheckLines } from "./check-lines.tsx";
import { resultText, type Classified } from "./check-result.tsx";
import { PictureScores } from "./picture-scores.tsx";

export interface CheckDetailsProps {
  post: Classified & { id: number };
  /** From the server's rendering. */
  checks?: Checks;
  /** Without figures of the models, which are on the page of the post. */
  isBrief?: boolean;
  /** After the post was checked again. */
  onChecked?: (() => void) | undefined;
}

export function CheckDetails({ post, checks, isBrief = false, onChecked }: CheckDetailsProps) {
  const { data, failure, reload, refreshing } = useApi<ShownPost>(checks ? null : `/posts/${post.id}`, {
    refreshOnFocus: false,
  });
  const mayCheck = useCan("reviewer");
  const shown = checks ?? data;
  if (failure && !shown)
    return (
      <ErrorState
        title="The results of the checks could not be loaded"
        failure={failure}
        onRetry={() => void reload()}
        retrying={refreshing}
      />
    );
  if (!shown) return <SkeletonRows rows={4} columns={2} />;
  return (
    <div className="flex flex-col gap-5">
      <CheckLines checks={shown.checks} isBrief={isBrief} />
      {isBrief ? null : <PictureScores pictures={shown.picture_scores} />}
      {mayCheck ? (
        <CheckAgain
          before={data ?? post}
          id={post.id}
          onChecked={(now) => {
            if (!checks) void reload(now, { revalidate: false });
            onChecked?.();
          }}
        />
      ) : null}
    </div>
  );
}

interface CheckAgainProps {
  before: Classified;
  id: number;
  onChecked: (now: ShownPost) => void;
}

function CheckAgain({ before, id, onChecked }: CheckAgainProps) {
  const [said, setSaid] = useState("");
  const check = useMutation(
    async () => {
      const { queued } = await apiFetch<BatchScore>("/posts/batch-score", {
        method: "POST",
        body: { post_ids: [id] },
      });
      return { queued, now: await apiFetch<ShownPost>(`/posts/${id}`) };
    },
    {
      onDone: ({ queued, now }) => {
        const [was, is] = [resultText(before), resultText(now)];
        const result =
          was === is ? "Checked again. The result is the same." : `Checked again. New result: ${is}.`;
        setSaid(queued > 0 ? `${result} Pictures are checked in the background.` : result);
        onChecked(now);
      },
      onFailed: (failure) => setSaid(`The post was not checked again: ${failure.detail}`),
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
        Check again
      </Button>
      <p role="status" className="min-w-0 flex-1 basis-40 text-13 wrap-anywhere">
        {said}
      </p>
    </div>
  );
}
