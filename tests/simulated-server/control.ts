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

export type Control = ReturnType<typeof makeControl>;

export function makeControl(options: WorldOptions) {
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

  const control = {
    posts,
    people,
    /** The last 5 000, oldest first. */
    requests,
    /** Ids of boosted posts. */
    boosted: [] as string[],
    /** Requests per window before 429; null for no limit. */
    rateLimit: software === "misskey" || software === "pleroma" ? null : { limit: 300, windowSeconds: 300 },
    // GoToSocial and Pixelfed require an account for timelines.
    token: software === "gotosocial" || software === "pixelfed" ? "let-me-in" : null,
    // Pleroma sends the header only sometimes, Pixelfed's tag timeline never.
    links: software === "mastodon" || software === "gotosocial",
    /** Domain of the accounts in WebFinger; null: the server's host. */
    accountDomain: null as string | null,
    /** Further accounts of WebFinger (`user@host`), with their actors' addresses; null: the account does not exist. */
    webfinger: new Map<string, string | null>(),
    hits: (part = "/"): number => requests.filter((request) => request.path.includes(part)).length,
    arrive: (count: number): SimPost[] => planKinds(arrivals, count).map((kind) => control.addPost({}, kind)),
    addPost(given: Partial<SimPost> = {}, kind: PostKind = "text"): SimPost {
      const post = maker(kind, given.created_at ?? new Date(), given);
      posts.push(post);
      return post;
    },
    /** Adds a post every `ms` milliseconds. */
    arriveEvery(ms: number): void {
      timer = setInterval(() => void control.arrive(1), ms).unref();
    },
    findPost(idOrUri: string): SimPost {
      const found = posts.find(
        (post) => post.id === idOrUri || addressesOf(post, { software, origin }).uri === idOrUri,
      );
      if (!found) throw new Error(`No post ${idOrUri}.`);
      return found;
    },
    findAuthor(username: string): SimAuthor {
      const found = people.find((one) => one.username === username);
      if (!found) throw new Error(`No author ${username}.`);
      return found;
    },
    editPost: (idOrUri: string, paragraphs: string[]): SimPost =>
      Object.assign(control.findPost(idOrUri), { paragraphs, edited_at: new Date() }),
    deletePost: (idOrUri: string, deleted: "gone" | "missing" = "gone"): SimPost =>
      Object.assign(control.findPost(idOrUri), { deleted }),
    setVisibility: (idOrUri: string, visibility: SimPost["visibility"]): SimPost =>
      Object.assign(control.findPost(idOrUri), { visibility }),
    optOut(username: string, tag = "nobot"): SimAuthor {
      const author = control.findAuthor(username);
      author.bio = `${author.bio} #${tag}`.trim();
      return author;
    },
    /** Copies posts of another server, with the same uri and an id of its own. */
    receive(
      from: { control: { posts: readonly SimPost[] }; origin: string; software: Software },
      chosen = from.control.posts,
    ): SimPost[] {
      return chosen.map((post) => {
        const copy: SimPost = {
          ...post,
          id: maker("text", post.created_at).id,
          seq: posts.length + 1_000_000,
          author: { ...post.author, host: post.author.host ?? new URL(from.origin).host },
          origin: addressesOf(post, from),
          quote: null,
          reply_to: null,
        };
        posts.push(copy);
        return copy;
      });
    },
    failNext(fault: Fault, { times = 1, on = "timeline" }: { times?: number; on?: FaultTarget } = {}): void {
      pending.push({ fault, on, left: times });
    },
    fail(fault: Fault, on: FaultTarget = "timeline"): void {
      lasting = { fault, on };
    },
    clearFaults(): void {
      pending.length = 0;
      lasting = null;
    },
    takeFault(target: FaultTarget): Fault | null {
      const next = pending.find(({ on }) => on === target || on === "all");
      if (next) {
        if (--next.left === 0) pending.splice(pending.indexOf(next), 1);
        return next.fault;
      }
      return lasting && (lasting.on === target || lasting.on === "all") ? lasting.fault : null;
    },
    stop: (): void => clearInterval(timer),
  };
  return control;
}
