import { useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { words } from "#components/words/en.ts";
import type { DryRun, DryRunRequest } from "#lib/checks/settings/schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { asFailure } from "#lib/client/api-failure.ts";

const w = words.checks;

/** Time without a change before the posts are counted. */
const PAUSE_MS = 300;

export interface ChangeBarProps {
  /** The change that is not saved. */
  change: DryRunRequest;
  pending: boolean;
  /** Read by screen readers after "Save" and "Cancel". */
  name: string;
  onSave: () => void;
  onCancel: () => void;
}

/** Shows the effect that a change would have had, and saves it. */
export function ChangeBar({ change, pending, name, onSave, onCancel }: ChangeBarProps) {
  const effect = useDryRun("/checks/dry-run", change, sentenceOf);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-wash px-3 py-2 text-13">
      <p role="status" className="min-w-0 flex-1 basis-60">
        {effect}
      </p>
      <div className="flex gap-2">
        <Button size="sm" variant="primary" pending={pending} onClick={onSave} aria-label={w.saveOf(name)}>
          {words.common.save}
        </Button>
        <Button size="sm" disabled={pending} onClick={onCancel} aria-label={w.cancelOf(name)}>
          {words.common.cancel}
        </Button>
      </div>
    </div>
  );
}

/** @param sentenceOf a function outside components */
export function useDryRun<Answer>(
  path: string,
  change: object,
  sentenceOf: (answer: Answer) => string,
): string {
  const body = JSON.stringify(change);
  const [known, setKnown] = useState({ body: "", text: "" });
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      void apiFetch<Answer>(path, { method: "POST", body: JSON.parse(body) as object })
        .then(sentenceOf, (thrown: unknown) => asFailure(thrown).detail)
        .then((text) => isCurrent && setKnown({ body, text }));
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [path, body, sentenceOf]);
  return known.body === body ? known.text : w.counting;
}

function sentenceOf({ posts, complete, before, after }: DryRun): string {
  if (posts === 0) return w.dryRunEmpty;
  return w.dryRun(after.posts, after.approved, posts, complete, before.posts);
}
