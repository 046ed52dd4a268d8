import type { FilterChoices } from "#components/post-filters/filter-words.ts";
import { memberNames } from "#lib/accounts/accounts.ts";
import type { CurrentMember } from "#lib/accounts/current-member.ts";
import { readSavedFilters } from "#lib/client/desk/saved-filters.ts";
import { streamChoices } from "#lib/collect/streams.ts";
import { pictureCategories } from "#lib/review/list-posts.ts";

/** Choices of the filters, and the member's saved filters. */
export async function filterChoices({ preferences }: CurrentMember): Promise<Required<FilterChoices>> {
  const [streams, pictures, members] = await Promise.all([
    streamChoices(),
    pictureCategories(),
    memberNames(),
  ]);
  return { streams, pictures, members, saved: readSavedFilters(preferences) };
}
