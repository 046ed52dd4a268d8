import { plural } from "#components/words/format.ts";

/** The start page: open work, today's numbers, and the first steps of a new installation. */
export const home = {
  title: "Home",

  attention: "Needs attention",
  nothing: "Nothing to do",
  nothingNext: "Next fetch of the streams",
  nothingHint: "New posts appear here after the next fetch.",
  toReview: (count: number) => `${plural(count, "post", "posts")} to review`,
  toReviewHint: "Oldest first.",
  review: "Review",
  show: "Show",
  errors: (count: number) => plural(count, "failed delivery", "failed deliveries"),
  errorsMost: (reason: string) => `Most often: ${reason}`,
  errorsStep: "Show errors",
  optOuts: (count: number) => `${plural(count, "opt-out", "opt-outs")} reported by boost bots`,
  optOutsHint: "Posts of these authors are held until somebody decides.",
  optOutsStep: "Decide",
  failingStream: (name: string) => `${name} cannot be fetched`,
  failingStreamUntil: "fetching paused, next attempt",
  failingStreamSince: "failing since",
  needsToken: (name: string) => `${name} waits for an access token`,
  needsTokenStep: "Set token",
  failingStreamMore: (count: number) => `${plural(count, "more stream", "more streams")} cannot be fetched`,
  failingStreamStep: "Open stream",
  failingStreamAll: "All streams",
  overdue: "Fetches are overdue",
  overdueHint: "The background worker is stopped or has too much to do. The oldest was planned",
  workerSilent: "No background work is done",
  workerSilentHint:
    "Posts are not fetched, checked or confirmed. Look into the log of the worker. Its last round ended",
  backupAttempt: "last attempt",
  backupStep: "Backups",
  diskHint: "When it is full, no post can be stored.",
  diskStep: "Checks of the installation",
  low: (time: string) => `The queue lasts ${time}`,
  lowEmpty: "The queue is empty",
  lowHint: (perDay: string) => `Boost bots take ${perDay} posts a day.`,
  lowStep: "Open queue",
  lowFill: "Review posts",
  invitations: (count: number) => plural(count, "open invitation", "open invitations"),
  invitationsHint: "Sent but not yet accepted.",
  invitationsStep: "Members",

  keyExpires: (name: string) => `The key ${name} expires`,
  keyExpired: (name: string) => `The key ${name} has expired`,
  keyHint: "Programs that use it are refused from then on.",
  keyExpiredHint: "Programs that use it are refused.",
  keyStep: "Open keys",
  botSilentHint: "It last asked for a post",
  botSilentStep: "Open key",
  behind: (name: string) => `${name} has a backlog`,
  behindHint: "Its fetches have not read all new posts since",
  held: (count: number, reason: string) =>
    `${plural(count, "approved post is", "approved posts are")} held: ${reason}`,
  heldStep: "Show posts",
  refused: (count: number) => `${plural(count, "post was", "posts were")} refused again and again`,
  refusedHint: (count: number) =>
    count === 1
      ? "Boost bots return it or do not answer. It waits longer each time."
      : "Boost bots return them or do not answer. They wait longer each time.",
  refusedStep: "Show posts",
  askAdmin: "Ask an admin.",
  /** Read by screen readers before the title of an entry. */
  severity: { problem: "Problem", warning: "Warning", work: "To do", note: "Note" },

  flow: {
    label: "From intake to delivery",
    intake: "Intake",
    review: "Review",
    queue: "Queue",
    delivery: "Delivery",
    health: { good: "Good", warn: "Warning", bad: "Problem", idle: "Idle" },
    newToday: "new today",
    waiting: "waiting",
    ready: "ready",
    deliveredToday: "delivered today",
    noStream: "No streams yet",
    allPaused: "All streams are paused",
    failing: (bad: number, all: number) =>
      bad === all
        ? all === 1
          ? "The stream cannot be fetched"
          : `All ${all} streams cannot be fetched`
        : `${bad} of ${all} streams cannot be fetched`,
    backlog: (count: number) => `${plural(count, "stream has", "streams have")} a backlog`,
    readingOlder: "Reading older posts",
    overdue: "Fetches are overdue",
    nextFetch: "Next fetch",
    byHand: "Fetched on demand only",
    allReviewed: "Nothing to review",
    decidedToday: (count: string) => `${count} decided today`,
    queueEmpty: "Empty",
    lasts: (time: string) => `Lasts ${time}`,
    heldNow: (count: string) => `${count} held`,
    approvedToday: (count: string) => `${count} approved today`,
    noKey: "No API key yet",
    noBot: "No bot has asked yet",
    silent: "No delivery for three days",
    failed: (count: number) => plural(count, "failed delivery", "failed deliveries"),
    noErrors: "No errors",
  },

  asked: "asked",
  neverAsked: "has not asked yet",
  /** One line for the team's day. */
  day: {
    label: "Today",
    arrived: "in",
    decided: "decided",
    waiting: "wait",
  },

  first: "First steps",
  firstHint: (done: number, all: number) => `${done} of ${all} done.`,
  firstDone: "Done",
  steps: {
    stream: {
      name: "Add a stream",
      hint: "A hashtag and the server to read it from.",
      action: "Add stream",
    },
    fetch: {
      name: "Fetch its posts",
      hint: "Fetch once now; afterwards it runs on a schedule.",
      action: "Go to streams",
    },
    review: {
      name: "Review a post",
      hint: "Approved posts go into the queue.",
      action: "Review",
    },
    key: {
      name: "Generate an API key",
      hint: "Your boost bot uses it. Sample programs are provided.",
      action: "Generate key",
    },
    consumer: {
      name: "Connect a boost bot",
      hint: "Done when it has received its first post.",
      action: "How boost bots connect",
    },
  },
} as const;
