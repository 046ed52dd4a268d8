import type { FilterChoices } from "#components/post-filters/filter-words.ts";
import { memberNames } from "#lib/accounts/accounts.ts";
import { streamChoices } from "#lib/collect/streams.ts";
import { pictureCategories } from "#lib/review/list-posts.ts";

/** Choices of a list's filters. */
export async function filterChoices(): Promise<Required<FilterChoices>> {
  const [streams, pictures, members] = await Promise.all([
    streamChoices(),
    pictureCategories(),
    memberNames(),
  ]);
  return { streams, pictures, members };
}
