import { formatCount, plural } from "#components/words/format.ts";

const decided = { approve: "Approved", reject: "Rejected", skip: "Skipped" } as const;

/** The review desk: deck and grid. */
export const review = {
  title: "Review",
  views: "View",
  deck: "Deck",
  grid: "Grid",
  decide: "Decide",
  approve: "Approve",
  reject: "Reject",
  skip: "Skip",
  undo: "Undo",
  note: "Note",
  reason: "Reject with a reason",
  reasonShort: "Reason",
  uncovered: "Uncovered: look at it, then approve again",
  openOriginal: "Open original",
  coveredFirst: "Show the covered media first",
  keys: "Keys",
  settings: "Desk settings",
  left: (count: number | null, more: boolean) =>
    count === null ? "Counting" : `${formatCount(count)}${more ? "+" : ""} left`,
  onYourDesk: (count: number) => `${formatCount(count)} on your desk until`,
  leaseOver: "no longer reserved for you",
  decidedToday: (count: number) => `${formatCount(count)} decided today`,
  perHour: (count: number) => `${formatCount(count)} an hour`,
  mode: "Order",
  modes: { oldest: "Oldest", ai_unsure: "Doubts first", author: "By author" },
  nextMode: "Next order: oldest, doubts first, by author",
  savedFilters: "Saved filters",
  savedFilterKey: (name: string, n: number) => `${name} (Shift ${n})`,
  withOthers: (count: number) =>
    `${formatCount(count)} on ${count === 1 ? "another reviewer's desk" : "other reviewers' desks"}`,
  done: "All reviewed",
  doneFiltered: "No more posts match the filters",
  doneFilteredHint: "Other posts may still need review.",
  clearFilters: "Clear filters",
  loadFailed: "The posts could not be loaded",
  runDry: "No more posts loaded",
  runDryHint: "More posts load when the connection is back. Your decisions are kept.",
  saved: "Saved",
  saving: (count: number) => `Saving ${count}`,
  waiting: (count: number) => `${count} waiting`,
  offline: "No connection",
  offlineHint: "Decisions are stored in this browser and sent when the connection is back.",
  trouble: "Server error",
  signedOut: "Signed out",
  signedOutHint: "Sign in again to send your decisions. Nothing is lost.",
  signIn: "Sign in",
  forbidden: "Your role no longer allows reviewing. Unsent decisions stay in this browser.",
  atRisk: "This browser does not store data. Keep the tab open until everything is saved.",

  // Announced to screen readers, and shown when an action was refused
  decided,
  announceDecided: (verb: keyof typeof decided, reason: string | null) =>
    reason === null ? `${decided[verb]}.` : `${decided[verb]}: ${reason}.`,
  announceNext: (author: string, snippet: string, extra: string) =>
    `Next: ${author}${snippet === "" ? "" : `: ${snippet}`}.${extra === "" ? "" : ` ${extra}.`}`,
  announceMedia: (descriptions: readonly string[]) =>
    `${plural(descriptions.length, "attachment", "attachments")}: ${descriptions
      .map((text) => (text === "" ? "no description" : text))
      .join("; ")}`,
  announceEmpty: "No more posts.",
  batchUndone: (count: number, name: string) =>
    `Undone${name === "" ? "" : ` for ${name}`}: ${formatCount(count)} restored`,
  batchLine: (count: number) => plural(count, "post", "posts"),
  announceUndone: "Undone.",
  nothingToUndo: "Nothing to undo",
  noneByAuthor: "No other posts by this author are waiting",
  undoRefused: "Too late to undo",
  handedOut: "A boost bot already has this post. The decision can no longer be changed.",
  gone: "This post was deleted, here or by its author.",
  conflict: "Your decision was not saved",
  conflictLeased: "Another reviewer has this post now.",
  conflictBy: (approved: boolean, by: string | null) =>
    `${approved ? "Approved" : "Rejected"} by ${by ?? "another reviewer"} meanwhile.`,
  lostMoveOn: "Press any decision key to continue.",
  editedOnTop: "The author has edited this post.",
  editedShow: "Press any decision key to see the new version.",
  editedSince: "The author has edited this post since you saw it.",
  editedAgain: "This is the new version, with what changed.",

  // After a decision that was made without seeing the advice
  advice: { reject: "would reject", fine: "no problem", none: "not checked" },
  adviceLine: (advice: string) => `Checks: ${advice}`,
  adviceCount: (agreed: number, n: number) =>
    `Checks agreed with ${agreed} of ${plural(n, "decision", "decisions")} made with hidden advice`,

  // The list at the side
  history: "Recent decisions",
  historyEmpty: "Your decisions appear here. You can undo them until a boost bot takes the post.",
  historyStatus: { waiting: "Waiting", undoing: "Undoing", conflict: "Not saved" },
  messages: "Messages of the desk",
  dismissMessage: "Dismiss message",
  changeTo: { approve: "Approve instead", reject: "Reject instead" },
  dismiss: "Remove from this list",

  // Notes
  notePlaceholder: "A note for other reviewers, saved with the decision",
  noteKeys: "Ctrl-Enter approves with the note, Ctrl-Shift-Enter rejects. Shift-Enter starts a new line.",
  noteTooLong: (over: number) => `${over} characters too many`,
  noteDone: "Save note",
  noteDiscard: "Discard",

  // First visit
  hint: "Four keys to start with",
  hintText: (approve: string, reject: string, skip: string, undo: string) =>
    `${approve} approves, ${reject} rejects, ${skip} skips, ${undo} undoes the last decision.`,
  hintMore: "All keys: ?",
  hintDismiss: "Got it",
  // Filters
  filters: "Filters",
  filtersOn: (count: number) => plural(count, "filter", "filters"),
  filtersSet: (count: number) => `Filters: ${count} set`,
  stream: "Stream",
  states: {
    all: "All",
    unreviewed: "Unreviewed",
    reviewed: "Reviewed",
    approved: "Approved",
    rejected: "Rejected",
    waiting: "Waiting for a bot",
    pending: "Pending",
    reserved: "Reserved",
    delivered: "Delivered",
    error: "Error",
  },
  checks: "Result of the checks",
  checksOptions: {
    any: "Any",
    reject: "Would reject",
    fine: "No problem",
    unsure: "Doubts",
    not_checked: "Not checked yet",
    overruled: "Decided against the checks",
  },
  pictureCheck: "Picture check",
  pictureCategories: {
    explicit: "Explicit",
    explicit_drawing: "Explicit drawing",
    graphic: "Graphic",
    hateful: "Hateful",
    other_unsafe: "Otherwise unsafe",
    suggestive: "Suggestive",
    uncertain: "Doubts",
    drawing: "Drawing",
    neutral: "Neutral",
    unavailable: "Could not be checked",
    none: "No pictures",
  } as Record<string, string>,
  hasMedia: "Media",
  mediaOptions: { any: "Any", with: "With media", without: "Without media" },
  language: "Language",
  author: "Author",
  instance: "Server",
  timedEvents: {
    created: "Posted",
    fetched: "Fetched",
    reviewed: "Reviewed",
    delivered: "Delivered",
    errored: "Failed",
  } as Record<string, string>,
  since: (event: string) => `${event} from`,
  until: (event: string) => `${event} until`,
  removeFilter: (name: string) => `Remove filter: ${name}`,
} as const;
