import { plural } from "#components/words/format.ts";

const approved = (count: number) => plural(count, "approved post", "approved posts");

/** Decisions about reported opt-outs. */
export const optOuts = {
  list: "Reported opt-outs",
  listHint: (total: number) =>
    `${plural(total, "author", "authors")} reported by a boost bot. Their posts are held until somebody decides.`,
  held: (held: number) => `${plural(held, "post", "posts")} held, reported`,
  action: { confirmed: "Confirm opt-out", dismissed: "Not an opt-out" },
  title: {
    confirmed: (account: string) => `Confirm the opt-out of ${account}?`,
    dismissed: (account: string) => `Is the report about ${account} wrong?`,
  },
  done: {
    confirmed: (account: string) => `${account} is forgotten and blocked`,
    dismissed: (account: string) => `Posts by ${account} are no longer held`,
  },
  blocks: (account: string) => `Blocks ${account}.`,
  deletes: (count: number) =>
    `Deletes all stored posts of this author (${count}), with pictures, notes and history texts.`,
  released: (count: number) => `Returns ${approved(count)} to the queue.`,
  alsoHeld: (count: number) =>
    `${approved(count)} ${count === 1 ? "stays" : "stay"} held for another reason.`,
  failed: "The decision failed",
} as const;
