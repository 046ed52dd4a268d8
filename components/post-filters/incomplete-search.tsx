import { Notice } from "#components/ui/states.tsx";

/** A search for frequent words did not read all posts. */
export function IncompleteSearch() {
  return (
    <Notice>
      These words are so frequent that only the first 20,000 posts were searched. Add a filter, a date or a
      rarer word to search all posts.
    </Notice>
  );
}
