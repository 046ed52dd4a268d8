import { Notice } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";

/** A search for frequent words did not read all posts. */
export function IncompleteSearch() {
  return <Notice>{words.reviewTools.incompleteSearch}</Notice>;
}
