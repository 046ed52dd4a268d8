import { words } from "#components/words/en.ts";
import type { Action } from "#lib/actions/schema.ts";

/** One line, such as "24 posts approved". */
export function titleOf(action: Pick<Action, "kind" | "changed" | "details">): string {
  return words.actions.titles[action.kind](action.changed, action.details);
}
