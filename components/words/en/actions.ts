import { plural } from "#components/words/format.ts";
import type { ActionKindName } from "#lib/actions/schema.ts";

type Title = (changed: number, details: Record<string, unknown>) => string;

const posts = (count: number) => plural(count, "post", "posts");

const decisions: Record<string, string> = {
  approve: "Approved",
  reject: "Rejected",
  unreview: "Back to unreviewed",
  skip: "Skipped",
};

const named = (name: unknown) => (typeof name === "string" ? name : "an entry");

const ruleChanges: Record<string, string> = { create: "added", update: "changed", delete: "removed" };

const deletions: Record<string, (changed: number, name: string) => string> = {
  cleanup: (changed) => `${plural(changed, "delivered post", "delivered posts")} deleted`,
  trim: (changed) => `${plural(changed, "pending post", "pending posts")} deleted`,
  retention: () => "Days that posts and history are kept changed",
  post: () => "Post deleted",
  stream: (_changed, name) => `Stream ${name} deleted`,
};

const titles: Record<ActionKindName, Title> = {
  decision: (_changed, { decision }) => decisions[String(decision)] ?? "Decided",
  note: () => "Note or score changed",
  batch: (changed, { decision }) => `${posts(changed)} ${decision === "approve" ? "approved" : "rejected"}`,
  errors: (changed, { change }) =>
    `${plural(changed, "failed post", "failed posts")} ${change === "requeue" ? "requeued" : "rejected"}`,
  delivery: () => "Marked as delivered",
  settings: (changed) => `${plural(changed, "export switch", "export switches")} changed`,
  block: (_changed, { name }) => `Blocked ${named(name)}`,
  unblock: (_changed, { name }) => `Unblocked ${named(name)}`,
  block_import: (changed) => `Block list imported: ${plural(changed, "change", "changes")}`,
  stream: (changed, { name }) => `${named(name)}: ${plural(changed, "setting", "settings")} changed`,
  topical_tag: (_changed, { name, change }) =>
    `Topical rule ${named(name)} ${ruleChanges[String(change)] ?? ""}`,
  check_setting: (changed) => `${plural(changed, "check setting", "check settings")} changed`,
  classify_rule: (changed) =>
    `${plural(changed, "setting of a text rule", "settings of text rules")} changed`,
  classify_word: (_changed, { name, change }) =>
    `Word ${named(name)} ${change === "create" ? "added" : "removed"}`,
  opt_out: (_changed, { account, resolution, deleted }) =>
    `${named(account)}: opt-out ${resolution === "confirmed" ? "confirmed" : "dismissed"}` +
    (typeof deleted === "number" && deleted > 0 ? `, ${posts(deleted)} deleted` : ""),
  deletion: (changed, { deletion, name }) => deletions[String(deletion)]?.(changed, named(name)) ?? "Deleted",
  reject_blocked: (changed) => `${plural(changed, "blocked post", "blocked posts")} rejected`,
};

/** History and undo of a member's actions. */
export const actions = {
  title: "Your actions",
  hint: "The last seven days, newest first. Z undoes the last one of this session.",
  open: "Your actions and undo",
  undoLast: "Undo last action",
  undo: (title: string) => `Undo: ${title}`,
  titles,
  nothing: "Nothing to undo",
  failed: "Not undone",
  notUndone: "Nothing could be restored",
  cannot: (title: string) => `Cannot be undone: ${title}`,
  pressAgain: "Press again for the action before",
  counting: "Counting",
  countedAgain: "Something changed since it was counted. It is counted again.",
  undone: "Undone",
  undoneTitle: (title: string) => `Undone: ${title}`,
  undoneAt: "Undone",
  restorable: (count: number, of: number) => `${count} of ${of} can be restored`,
  elsewhere: "Another session",
  empty: "No actions yet",
  emptyHint: "Decisions, blocks, queue moves and changed settings appear here and can be undone.",
  loadFailed: "Your actions could not be loaded",
  more: "Show more",
  unsent: (count: number) => `${plural(count, "decision", "decisions")} not sent yet`,
  unsentHint: "They wait in this browser. Z at the desk undoes them, also without a connection.",
} as const;
