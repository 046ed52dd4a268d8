import { Button } from "#components/ui/button.tsx";
import { words } from "#components/words/en.ts";
import type { DryRunRequest } from "#lib/checks/settings/schema.ts";
import { useDryRun, type Counted } from "./use-dry-run.ts";

const w = words.checks;

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
  const counted = useDryRun(change);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-wash px-3 py-2 text-13">
      <p role="status" className="min-w-0 flex-1 basis-60">
        {sentenceOf(counted)}
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

function sentenceOf({ result, failure }: Counted): string {
  if (failure !== null) return failure;
  if (result === null) return w.counting;
  const { posts, complete, before, after } = result;
  if (posts === 0) return w.dryRunEmpty;
  return w.dryRun(after.posts, after.approved, posts, complete, before.posts);
}
