import { plural } from "#components/words/format.ts";

/** Settings → Review log. Actions are those of the history of a post. */
export const reviewLog = {
  title: "Review log",
  hint: "Decisions, notes and undos of members, API keys and filters. A batch is one line.",
  empty: "Nothing has been decided yet",
  action: "Action",
  post: "Post",
  why: "Reason and note",
  by: "By",
  at: "When",
  batch: (decision: string, changed: number) =>
    `${plural(changed, "post", "posts")} ${batchDecisions[decision] ?? decision}`,
  posts: (count: number) => plural(count, "post", "posts"),
  gone: (id: number) => `Post ${id}, deleted`,
  anyone: "Anyone",
  anyAction: "Any action",
  anyReason: "Any reason",
} as const;

const batchDecisions: Record<string, string> = {
  approve: "approved",
  reject: "rejected",
  unreview: "back to unreviewed",
};
