import { nameOf } from "#components/checks/check-name.ts";
import { LogPanel, type LogView } from "#components/settings/log/log-panel.tsx";
import { Badge } from "#components/ui/badge.tsx";
import type { Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { AuditLine } from "#lib/accounts/audit-schema.ts";
import { auditChange } from "./audit-change.ts";

const actions = {
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

const sources = { screen: "screen", api: "API key", service: "Sluice" } as const;

/** Subjects: the part of an action before its dot. */
const auditGroups = {
  stream: "Streams",
  settings: "Switches",
  blocked_user: "Blocked users",
  blocked_hashtag: "Blocked hashtags",
  opt_out: "Opt-outs",
  author: "Authors",
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

const columns: Column<AuditLine>[] = [
  {
    key: "what",
    header: "Action",
    primary: true,
    wrap: true,
    cell: (line) => (
      <>
        <span className="font-normal text-muted" title={line.action}>
          {actions[line.action] ?? line.action}
        </span>{" "}
        <bdi>{subjectOf(line)}</bdi>
      </>
    ),
  },
  {
    key: "change",
    header: "Change",
    wrap: true,
    cell: (line) => <Change texts={auditChange(line.action, line.before, line.after)} />,
  },
  {
    key: "who",
    header: "By",
    width: "13rem",
    cell: (line) => (
      <span className="flex flex-wrap items-center gap-1.5 whitespace-normal">
        <span className="wrap-anywhere">{line.actor}</span>
        {line.source === "screen" ? null : <Badge>{sources[line.source]}</Badge>}
      </span>
    ),
  },
  { key: "when", header: "When", width: "7rem", cell: (line) => <RelativeTime at={line.at} /> },
];

function subjectOf({ action, subject }: AuditLine): string {
  // Lines until 1.0.0 name the switches differently.
  if (action === "settings.update") return "Switches";
  return action.startsWith("check.") ? nameOf(subject) : subject;
}

/** Longer changes are collapsed. */
const FEW = 3;

function Change({ texts }: { texts: string[] }) {
  if (texts.length === 0) return <span className="text-12 text-muted">–</span>;
  const list = (
    <ul className="text-12 text-muted">
      {texts.map((text) => (
        <li key={text} className="wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  );
  if (texts.length <= FEW) return list;
  return (
    <details>
      <summary className="-my-1 w-fit rounded-sm py-1 text-12 text-muted pointer-coarse:-my-3 pointer-coarse:py-3">
        {texts.length} fields
      </summary>
      {list}
    </details>
  );
}

export function AuditBoard(view: LogView<AuditLine>) {
  const { action } = view.filters;
  const groups = Object.entries(auditGroups).map(([value, label]) => ({ value, label }));
  const isKnown = action === undefined || action in auditGroups;
  const options = isKnown ? groups : [...groups, { value: action, label: actions[action] ?? action }];
  return (
    <LogPanel
      {...view}
      title="Audit log"
      hint="Changes to streams, filters, settings, keys and members. Review decisions have their own log."
      empty="Nothing has been changed yet"
      path="/settings/audit"
      columns={columns}
      fields={[
        { name: "action", label: "About", placeholder: "Everything", options },
        { name: "actor", label: "By", placeholder: "Member or key" },
      ]}
    />
  );
}
