import { Notice } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";

/** Says that a search for frequent words did not read all posts, and how to make it complete. */
export function IncompleteSearch() {
  return <Notice>{words.reviewTools.incompleteSearch}</Notice>;
}
