import { plural } from "#components/words/format.ts";

export const filters = {
  title: "Blocking",
  description: "Posts rejected on fetch, and posts held back from boost bots.",
  settings: "Switches",
  settingsHint:
    "They apply from the next fetch and the next reservation. Posts are not changed, so you can undo a switch at any time.",
  groups: { queue: "Hold back from boost bots", fetch: "Reject when fetched" },
  switches: {
    require_media: { name: "Posts without media", hint: "Held while this is on." },
    require_alt_text: { name: "Media without alt text", hint: "Held when a picture has no description." },
    auto_reject_blocked_users: {
      name: "Posts of blocked users",
      hint: "Approved posts are held even when this is off.",
    },
    auto_reject_blocked_hashtags: {
      name: "Posts with blocked hashtags",
      hint: "Approved posts are held even when this is off.",
    },
    auto_reject_bots: { name: "Posts of bot accounts", hint: "Approved posts are held too." },
  },
  lists: {
    user: {
      title: "Blocked accounts and domains",
      hint: "A domain includes its subdomains.",
      empty: "Nobody is blocked",
      emptyHint: "Block one above, or import a list.",
      import: "Import blocked accounts and domains",
    },
    hashtag: {
      title: "Blocked hashtags",
      hint: "Letter case and accents are ignored, as in Mastodon.",
      empty: "No hashtag is blocked",
      emptyHint: "Posts with a blocked hashtag are rejected or held.",
      import: "Import blocked hashtags",
    },
  },
  account: "Account or domain",
  accountHint: "@user@host, the address of a profile, or a domain",
  accountOnlyHint: "@user@host, or the address of a profile",
  domainByAdmin: "This is a domain. Only an admin can block it.",
  advanced: "Advanced",
  guessed: "the account or domain",
  becomesDomain: (domain: string) =>
    `This is a domain: everyone on ${domain} and its subdomains will be blocked.`,
  kind: "Matches",
  kinds: {
    exact: "exactly",
    domain: "a domain",
    suffix: "the end",
    prefix: "the beginning",
    contains: "any part",
  },
  hashtag: "Hashtag",
  notes: "Note",
  matches: "Posts",
  matchesHint: "Posts that are rejected or held because of it",
  since: "Since",
  block: "Block",
  unblock: "Unblock",
  unblockTitle: (name: string) => `Unblock ${name}?`,
  unblockText:
    "Posts that it holds can be handed out again. Posts that it rejected when it was set wait for review again; those rejected at a fetch stay rejected.",
  search: "Search the list",
  searchEmpty: "Nothing matches",
  searchClear: "Show the whole list",
  shown: (shown: string, total: string) => `${shown} of ${total}`,
  showMore: "Show more",
  import: "Import",
  export: "Export CSV",
  importHint:
    "One account, domain or hashtag per line, a CSV file, or Mastodon's export of blocks. You see a preview first.",
  importMore: (count: string) => `and ${count} more`,
  importText: "List",
  importFile: "Choose a file",
  preview: "Preview",
  importResult: (added: string, existing: string, unreadable: string) =>
    `${added} new, ${existing} already listed, ${unreadable} unreadable.`,
  importIgnored: (count: number) =>
    `${plural(count, "domain has", "domains have")} no limit in this list (noop) and will not be blocked.`,
  importLimited: (count: number) =>
    `${plural(count, "domain is", "domains are")} only limited in this list (silence). Here they will be blocked like the others.`,
  importConfirm: (count: string) => `Add ${count}`,
  imported: (count: number) => (count === 1 ? "1 added" : `${count} added`),
  line: (line: string) => `Line ${line}`,
  refused: "The change failed",
  holds: (count: number) => `Holds ${plural(count, "approved post", "approved posts")} of the queue.`,
  releases: (count: number) => `Returns ${plural(count, "approved post", "approved posts")} to the queue.`,
  rejects: (count: number) => `Rejects ${plural(count, "post", "posts")} waiting for review.`,
  returns: (count: number) => `Returns ${plural(count, "rejected post", "rejected posts")} to review.`,
  switchOn: "Switch on",
  switchOff: "Switch off",
} as const;
