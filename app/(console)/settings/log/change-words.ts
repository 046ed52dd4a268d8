/** Before the subject. */
export const changeActions = {
  "stream.create": "added the stream",
  "stream.update": "changed the stream",
  "stream.delete": "deleted the stream",
  "settings.update": "changed",
  "blocked_user.create": "blocked the user",
  "blocked_user.delete": "unblocked the user",
  "blocked_user.import": "imported blocked users",
  "blocked_hashtag.create": "blocked the hashtag",
  "blocked_hashtag.delete": "unblocked the hashtag",
  "blocked_hashtag.import": "imported blocked hashtags",
  "opt_out.report": "reported an opt-out",
  "opt_out.confirmed": "confirmed the opt-out",
  "opt_out.dismissed": "dismissed the opt-out",
  "host.token.set": "set the token for",
  "host.token.remove": "removed the token for",
  "topical_tag.create": "added the topical rule",
  "topical_tag.update": "changed the topical rule",
  "topical_tag.delete": "deleted the topical rule",
  "queue.cleanup": "cleaned up delivered posts",
  "queue.trim": "trimmed pending posts",
  "post.delete": "deleted the post",
  "posts.cleanup": "cleaned up",
  "retention.update": "changed the retention:",
  "check.update": "changed the check",
  "classify_rule.update": "changed the text rule",
  "classify_word.create": "added the word",
  "classify_word.delete": "removed the word",
  "reject_reason.create": "added the reason",
  "reject_reason.update": "changed the reason",
  "key.generate": "generated the key",
  "key.revoke": "revoked the key",
  "member.create": "added the member",
  "member.invite": "invited",
  "member.uninvite": "revoked the invitation of",
  "member.join": "accepted the invitation",
  "member.link": "linked another service",
  "member.providers": "changed the sign-in services of",
  "member.rename": "renamed",
  "member.role": "changed the role of",
  "member.password": "changed the password of",
  "member.reset_link": "made a reset link for",
  "member.reset_link_revoke": "revoked the reset link for",
  "member.sign_out": "ended all sessions of",
  "member.session_end": "ended a session of",
  "member.sign_in_failed": "refused a sign-in to",
  "member.disable": "disabled",
  "member.enable": "enabled",
} as Readonly<Record<string, string>>;

/** Subjects: the part of an action before its dot. */
export const changeGroups = {
  stream: "Streams",
  settings: "Switches",
  blocked_user: "Blocked users",
  blocked_hashtag: "Blocked hashtags",
  opt_out: "Opt-outs",
  topical_tag: "Topical rules",
  queue: "Queue",
  post: "Posts",
  posts: "Cleanup",
  retention: "Retention",
  check: "Checks",
  classify_rule: "Text rules",
  classify_word: "Rejected words",
  reject_reason: "Rejection reasons",
  host: "Servers' tokens",
  key: "API keys",
  member: "Members",
} as const;

/** Longer values are truncated. */
const LONGEST = 80;

/**
 * "Fetch interval minutes: 15 → 30", for each field that differs.
 *
 * @param before null for a new object
 *
 * @param after null for a deleted object
 */
export function fieldChanges(before: unknown, after: unknown): string[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => name !== "id");
  return names.flatMap((name) => {
    const [from, to] = [was[name], is[name]];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    const label = name === "" ? "" : `${readable(name)}: `;
    if (from === undefined || before === null) return isEmpty(to) ? [] : [label + short(to)];
    if (to === undefined && after === null) return isEmpty(from) ? [] : [label + short(from)];
    return [`${label}${short(from)} → ${short(to)}`];
  });
}

function readable(name: string): string {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {};
  return typeof value === "object" && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { "": value };
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

function short(value: unknown): string {
  const text = plain(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text;
}

function plain(value: unknown): string {
  if (isEmpty(value)) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.map(plain).join(", ");
  if (typeof value === "object")
    return Object.entries(value as object)
      .map(([part, each]) => `${readable(part)} ${plain(each)}`)
      .join(", ");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? `${text.slice(0, 16).replace("T", " ")} UTC` : text;
}
