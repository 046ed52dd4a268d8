import { ComparePictures, seenState, type ComparePicturesProps } from "#components/post/compare-pictures.tsx";
import { StatePill } from "#components/ui/badge.tsx";
import { byPost, type SeenItem } from "#lib/client/desk/seen-before.ts";
import { Fact } from "./deck-card.tsx";

/** An earlier post with the same picture, in one line. */
export function SeenLine({
  items,
  ...compare
}: Omit<ComparePicturesProps, "pairs"> & { items: readonly SeenItem[] }) {
  const groups = byPost(items);
  const [pairs] = groups;
  if (!pairs) return null;
  const [item] = pairs;
  return (
    <Fact title={groups.length === 1 ? "Seen before" : `Seen before in ${groups.length} posts`}>
      <div
        data-seen={item.post_id}
        title={`In a post by ${item.author_account}`}
        className="flex min-h-7 items-center justify-between gap-2"
      >
        <StatePill state={seenState(item)} />
        <ComparePictures pairs={pairs} {...compare} />
      </div>
    </Fact>
  );
}
