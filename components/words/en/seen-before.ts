import { plural } from "#components/words/format.ts";

/** Pictures that an earlier post already had. */
export const seenBefore = {
  title: "Seen before",
  said: (author: string, outcome: string) => `Picture seen before, in a post by ${author}: ${outcome}.`,
  thumb: (author: string) => `Picture of the post by ${author}`,
  thumbCovered: "Covered picture",
  posted: "Posted",
  pictures: (count: number) => plural(count, "picture", "pictures"),

  /** Before the time of the decision, where the pill shows a later state. */
  approvedAt: "approved",

  compare: "Compare",
  compareWith: (author: string) => ` with the post by ${author}`,
  compareTitle: "Compare pictures",
  compareHint: "The picture of this post and the earlier one.",
  thisPost: "This post",
  earlierPost: "Seen before",
  ownPicture: "Picture of this post, without description",
  openPost: "Open post",
  likeness: (bits: number) =>
    bits === 0 ? "Both fingerprints are equal." : `The fingerprints differ in ${bits} of 128 bits.`,
} as const;
