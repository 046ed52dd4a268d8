import { Check as Tick, Minus } from "lucide-react";
import { checkName } from "#components/words.ts";
import { Dialog } from "#components/ui/dialog.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { Check } from "#lib/checks/results/raw-checks.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { ShownPost } from "#lib/review/shown-post-schema.ts";
import { CheckResult, type Classified } from "./check-result.tsx";

export interface CheckPanelProps {
  post: Classified & { id: number };
  onClose: () => void;
}

/** The result of each check in words. The page of the post has the scores. */
export function CheckPanel({ post, onClose }: CheckPanelProps) {
  const { data, failure, reload, refreshing } = useApi<ShownPost>(`/posts/${post.id}`, {
    refreshOnFocus: false,
  });
  const checks = data?.checks.filter((check) => check.kind !== "rule") ?? [];
  return (
    <Dialog
      side="end"
      open
      onOpenChange={(open) => !open && onClose()}
      title="Checks of this post"
      description="Advice only. You decide."
    >
      <div className="flex flex-col gap-5">
        <CheckResult post={post} reasons={false} />
        {failure && !data ? (
          <ErrorState
            title="The results of the checks could not be loaded"
            failure={failure}
            onRetry={() => void reload()}
            retrying={refreshing}
          />
        ) : data === undefined ? (
          <SkeletonRows rows={4} columns={2} />
        ) : checks.length === 0 ? (
          <p className="text-13 text-muted">Not checked yet</p>
        ) : (
          <ul className="flex flex-col gap-4 text-13">
            {checks.map((check) => (
              <CheckLine
                key={check.name}
                check={check}
                rules={check.kind === "text" ? data.checks.filter(({ kind }) => kind === "rule") : []}
              />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

function CheckLine({ check, rules }: { check: Check; rules: readonly Check[] }) {
  const { score, threshold } = check;
  const Vote = check.votes ? Tick : Minus;
  return (
    <li data-check={check.name} className="flex flex-col gap-1">
      <p className="flex items-center gap-2">
        <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
          {checkName(check.name)}
        </span>
        <span className="inline-flex items-center gap-1 text-12 text-muted">
          <Vote aria-hidden className="size-3" />
          {check.votes ? "Votes" : "Does not vote"}
        </span>
      </p>
      <p className="text-12 text-muted">
        {score === null
          ? "No result"
          : threshold === null
            ? "No threshold yet"
            : score >= threshold
              ? "Over its threshold"
              : "Below its threshold"}
      </p>
      {check.reason === null ? null : <p className="wrap-anywhere">{check.reason}</p>}
      {rules.length > 1 ? (
        <ul aria-label="Rules that applied" className="border-s-2 border-line ps-2 text-12">
          {rules.map((rule) => (
            <li key={rule.name} className="wrap-anywhere">
              {rule.reason ?? checkName(rule.name)}
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}
