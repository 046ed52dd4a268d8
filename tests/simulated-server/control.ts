import type { Fault, FaultTarget } from "./faults.ts";
import { planKinds, postMaker } from "./make-posts.ts";
import type { PostKind } from "./make-posts.ts";
import type { SimAuthor, SimPost, Software } from "./model.ts";
import { makePeople } from "./people.ts";
import { seeded } from "./random.ts";
import { addressesOf } from "./render-status.ts";

export interface WorldOptions {
  seed: string | number;
  software: Software;
  posts: number;
  hashtags: readonly string[];
  origin: string;
}

interface SeenRequest {
  method: string;
  path: string;
  at: Date;
  authorization: string | null;
  user_agent: string | null;
}

export interface Control {
  readonly posts: SimPost[];
  readonly people: SimAuthor[];
  /** The last 5 000, oldest first. */
  readonly requests: SeenRequest[];
  /** Ids of boosted posts. */
  readonly boosted: string[];
  hits(part?: string): number;
  arrive(count: number): SimPost[];
  addPost(given?: Partial<SimPost>, kind?: PostKind): SimPost;
  /** Adds a post every `ms` milliseconds; 0 stops. */
  arriveEvery(ms: number): void;
  findPost(idOrUri: string): SimPost;
  findAuthor(username: string): SimAuthor;
  editPost(idOrUri: string, paragraphs: string[]): SimPost;
  deletePost(idOrUri: string, how?: "gone" | "missing"): SimPost;
  setVisibility(idOrUri: string, visibility: SimPost["visibility"]): SimPost;
  optOut(username: string, tag?: string): SimAuthor;
  /** Copies posts of another server, with the same uri and an id of its own. */
  receive(
    from: { control: Control; origin: string; software: Software },
    posts?: readonly SimPost[],
  ): SimPost[];
  failNext(fault: Fault, options?: { times?: number; on?: FaultTarget }): void;
  fail(fault: Fault, on?: FaultTarget): void;
  clearFaults(): void;
  takeFault(target: FaultTarget): Fault | null;
  /** Requests per window before 429; null for no limit. */
  rateLimit: { limit: number; windowSeconds: number } | null;
  token: string | null;
  links: boolean;
  /** Domain of the accounts in WebFinger; null: the server's host. */
  accountDomain: string | null;
  /** Further accounts of WebFinger (`user@host`), with their actors' addresses; null: the account does not exist. */
  webfinger: Map<string, string | null>;
}

export function makeControl(options: WorldOptions): Control & { stop(): void } {
  const { seed, software, hashtags, origin } = options;
  const now = new Date();
  const random = seeded(seed);
  const people = makePeople(random.fork("people"), now);
  const posts: SimPost[] = [];
  const maker = postMaker({ random: random.fork("posts"), people, software, hashtags, posts });
  const kinds = planKinds(random.fork("kinds"), options.posts);
  const span = 20 * 3_600_000;
  kinds.forEach((kind, index) => {
    const age = 60_000 + Math.round((span * (kinds.length - 1 - index)) / kinds.length);
    posts.push(maker(kind, new Date(now.getTime() - age)));
  });
  const arrivals = random.fork("arrivals");
  const pending: { fault: Fault; on: FaultTarget; left: number }[] = [];
  const requests: SeenRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  let lasting: { fault: Fault; on: FaultTarget } | null = null;

  const control: Control & { stop(): void } = {
    posts,
    people,
    requests,
    boosted: [],
    rateLimit: software === "misskey" || software === "pleroma" ? null : { limit: 300, windowSeconds: 300 },
    // GoToSocial and Pixelfed require an account for timelines.
    token: software === "gotosocial" || software === "pixelfed" ? "let-me-in" : null,
    // Pleroma sends the header only sometimes, Pixelfed's tag timeline never.
    links: software === "mastodon" || software === "gotosocial",
    accountDomain: null,
    webfinger: new Map(),
    hits: (part = "/") => requests.filter((request) => request.path.includes(part)).length,
    arrive: (count) => planKinds(arrivals, count).map((kind) => control.addPost({}, kind)),
    addPost(given = {}, kind = "text") {
      const post = maker(kind, given.created_at ?? new Date(), given);
      posts.push(post);
      return post;
    },
    arriveEvery(ms) {
      clearInterval(timer);
      if (ms > 0) timer = setInterval(() => void control.arrive(1), ms).unref();
    },
    findPost(idOrUri) {
      const found = posts.find(
        (post) => post.id === idOrUri || addressesOf(post, { software, origin }).uri === idOrUri,
      );
      if (!found) throw new Error(`No post ${idOrUri}.`);
      return found;
    },
    findAuthor(username) {
      const found = people.find((one) => one.username === username);
      if (!found) throw new Error(`No author ${username}.`);
      return found;
    },
    editPost(idOrUri, paragraphs) {
      return Object.assign(control.findPost(idOrUri), { paragraphs, edited_at: new Date() });
    },
    deletePost(idOrUri, how = "gone") {
      return Object.assign(control.findPost(idOrUri), { deleted: how });
    },
    setVisibility(idOrUri, visibility) {
      return Object.assign(control.findPost(idOrUri), { visibility });
    },
    optOut(username, tag = "nobot") {
      const author = control.findAuthor(username);
      author.bio = `${author.bio} #${tag}`.trim();
      return author;
    },
    receive(from, chosen = from.control.posts) {
      const host = new URL(from.origin).host;
      return chosen.map((post) => {
        const addresses = addressesOf(post, { software: from.software, origin: from.origin });
        const author = { ...post.author, host: post.author.host ?? host };
        const { id } = maker("text", post.created_at);
        const copy: SimPost = {
          ...post,
          id,
          seq: posts.length + 1_000_000,
          author,
          origin: addresses,
          quote: null,
          reply_to: null,
        };
        posts.push(copy);
        return copy;
      });
    },
    failNext: (fault, { times = 1, on = "timeline" } = {}) => void pending.push({ fault, on, left: times }),
    fail: (fault, on = "timeline") => void (lasting = { fault, on }),
    clearFaults() {
      pending.length = 0;
      lasting = null;
    },
    takeFault(target) {
      const next = pending.find(({ on }) => on === target || on === "all");
      if (next) {
        if (--next.left === 0) pending.splice(pending.indexOf(next), 1);
        return next.fault;
      }
      return lasting && (lasting.on === target || lasting.on === "all") ? lasting.fault : null;
    },
    stop: () => clearInterval(timer),
  };
  return control;
}
