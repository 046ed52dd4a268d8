import type { Control } from "./control.ts";
import type { FaultTarget } from "./faults.ts";
import type { SimAuthor, SimPost, Software } from "./model.ts";
import { renderNote, renderProfile } from "./render-note.ts";
import {
  acctOf,
  addressesOf,
  contentHtml,
  escapeHtml,
  renderAccount,
  renderStatus,
} from "./render-status.ts";
import type { Json } from "./render-status.ts";
import { selectPage } from "./timeline.ts";

export interface World {
  control: Control;
  origin: string;
  software: Software;
}

export interface Ask {
  method: string;
  url: URL;
  body: Json;
  wantsObject: boolean;
  token: string | null;
}

export type Answer =
  { status: number; headers?: Record<string, string>; json: unknown } | { status: number; html: string };

const VERSIONS: Readonly<Record<Software, string>> = {
  mastodon: "4.5.2",
  gotosocial: "0.20.1+git",
  pleroma: "2.9.1",
  pixelfed: "0.12.6",
  misskey: "2025.10.0",
};

const ok = (json: unknown, headers: Record<string, string> = {}): Answer => ({ status: 200, headers, json });
const failed = (status: number, error: string): Answer => ({ status, json: { error } });

export function targetOf(pathname: string): FaultTarget {
  if (/^\/api\/v1\/timelines\/|^\/api\/notes\/search-by-tag$/.test(pathname)) return "timeline";
  if (/^\/api\/v1\/accounts\/|^\/api\/users\//.test(pathname)) return "account";
  if (/nodeinfo|^\/api\/v\d\/instance/.test(pathname)) return "nodeinfo";
  if (/^\/(media|avatars|emoji)\//.test(pathname)) return "media";
  return "status";
}

export function answer(world: World, ask: Ask): Answer {
  const { pathname } = ask.url;
  const part = (pattern: RegExp) => pattern.exec(pathname)?.[1];
  if (pathname === "/.well-known/nodeinfo") {
    const rel = "http://nodeinfo.diaspora.software/ns/schema/2.0";
    return ok({ links: [{ rel, href: `${world.origin}/nodeinfo/2.0` }] });
  }
  if (pathname === "/nodeinfo/2.0") return ok(nodeinfo(world));
  if (pathname === "/.well-known/webfinger")
    return webfinger(world, ask.url.searchParams.get("resource") ?? "");
  if (pathname.startsWith("/api/v"))
    return world.software === "misskey" ? failed(404, "Not found") : mastodonApi(world, ask);
  if (pathname.startsWith("/api/"))
    return world.software === "misskey" ? misskeyApi(world, ask) : failed(404, "Not found");
  const id =
    part(/^\/users\/[^/]+\/statuses\/([^/]+)$/) ??
    part(/^\/@[^/]+\/(?:statuses\/)?([^/]+)$/) ??
    part(/^\/(?:notice|notes|p\/[^/]+|objects)\/([^/]+)$/);
  if (id !== undefined) return pageOf(world, ask, id);
  const username = part(/^\/users\/([^/]+)$/);
  const author = world.control.people.find((one) => one.username === username);
  if (ask.wantsObject && author !== undefined)
    return ok(actorOf(world, author), { "content-type": "application/activity+json" });
  return { status: 404, html: "<!DOCTYPE html><title>Not here</title><h1>Not here</h1>" };
}

function webfinger({ control, origin }: World, resource: string): Answer {
  const account = resource.replace(/^acct:/, "");
  const [username, host] = account.split("@");
  const isOwn = host === (control.accountDomain ?? new URL(origin).host);
  const person = control.people.find((one) => one.host === null && one.username === username);
  const actor = control.webfinger.has(account)
    ? control.webfinger.get(account)
    : isOwn && person && `${origin}/users/${username}`;
  if (!actor) return failed(404, "Record not found");
  return ok({
    subject: `acct:${account}`,
    links: [{ rel: "self", type: "application/activity+json", href: actor }],
  });
}

function nodeinfo({ software, control }: World): Json {
  return {
    version: "2.0",
    software: { name: software, version: VERSIONS[software] },
    protocols: ["activitypub"],
    services: { inbound: [], outbound: [] },
    openRegistrations: false,
    usage: { users: { total: control.people.length }, localPosts: control.posts.length },
    metadata: {},
  };
}

function mastodonApi(world: World, ask: Ask): Answer {
  const { pathname, searchParams } = ask.url;
  const { control, software } = world;
  const part = (pattern: RegExp) => pattern.exec(pathname)?.[1];
  const tag = part(/^\/api\/v1\/timelines\/tag\/([^/]+)$/);
  if (tag !== undefined) {
    if (control.token !== null && ask.token !== control.token) {
      return software === "pixelfed" ? failed(403, "") : failed(401, "Unauthorized: no token supplied");
    }
    return timeline(world, ask.url, decodeURIComponent(tag));
  }
  const id = part(/^\/api\/v1\/statuses\/([^/]+)$/);
  if (id !== undefined) {
    if (software === "gotosocial" && ask.token !== control.token)
      return failed(401, "Unauthorized: token not supplied");
    const post = control.posts.find((one) => one.id === id);
    if (!post || post.deleted === "missing" || !isReadable(post)) return failed(404, "Record not found");
    return post.deleted === "gone" ? failed(410, "Gone") : ok(renderStatus(post, world));
  }
  if (pathname === "/api/v1/accounts/lookup") {
    const acct = searchParams.get("acct")?.replace(/^@/, "") ?? "";
    return accountAnswer(
      world,
      control.people.find((one) => acctOf(one) === acct),
    );
  }
  const accountId = part(/^\/api\/v1\/accounts\/(\d+)$/);
  if (accountId !== undefined)
    return accountAnswer(
      world,
      control.people.find((one) => one.id === accountId),
    );
  if (/^\/api\/v[12]\/instance$/.test(pathname)) return ok(instanceInfo(world));
  return failed(404, "Not found");
}

function accountAnswer(world: World, author: SimAuthor | undefined): Answer {
  return author ? ok(renderAccount(author, world)) : failed(404, "Record not found");
}

/** Private posts are never readable, because nobody has followers. */
function isReadable(post: SimPost): boolean {
  return post.visibility === "public" || post.visibility === "unlisted";
}

function isTrue(value: string | null): boolean {
  return value !== null && ["1", "true", "t", "on", "yes"].includes(value.toLowerCase());
}

function timeline(world: World, url: URL, hashtag: string): Answer {
  const { control, software } = world;
  const query = url.searchParams;
  const limit = Math.min(40, Math.max(1, Number(query.get("limit")) || 20));
  const onlyMedia = query.get("only_media");
  const pixelfed = software === "pixelfed";
  const page = selectPage(
    control.posts,
    {
      hashtag,
      limit,
      max_id: query.get("max_id"),
      // Pixelfed ignores `min_id` and returns the newest page.
      since_id: pixelfed ? query.get("min_id") : query.get("since_id"),
      min_id: pixelfed ? null : query.get("min_id"),
      only_media: pixelfed && onlyMedia === null ? true : isTrue(onlyMedia),
      local: isTrue(query.get("local")),
      remote: isTrue(query.get("remote")),
    },
    (post) => (pixelfed ? post.visibility !== "direct" : post.visibility === "public"),
  );
  const headers: Record<string, string> = {};
  const newest = page[0];
  const oldest = page.at(-1);
  if (control.links && newest && oldest) {
    const base = `${world.origin}${url.pathname}?limit=${limit}`;
    headers["link"] = `<${base}&max_id=${oldest.id}>; rel="next", <${base}&min_id=${newest.id}>; rel="prev"`;
  }
  return ok(
    page.map((post) => renderStatus(post, world)),
    headers,
  );
}

function instanceInfo({ origin, software, control }: World): Json {
  return {
    domain: new URL(origin).host,
    title: "A simulated server",
    version: VERSIONS[software],
    source_url: "https://example.org/",
    description: "Posts and pictures made by a program, for tests and demonstrations.",
    usage: { users: { active_month: control.people.length } },
    languages: ["en", "de", "fr", "es", "ar", "ja"],
    configuration: {
      statuses: { max_characters: 5000, max_media_attachments: 4 },
      timelines_access: {
        hashtag_feeds: {
          local: control.token === null ? "public" : "authenticated",
          remote: control.token === null ? "public" : "authenticated",
        },
      },
    },
    registrations: { enabled: false },
    contact: { email: "nobody@example.org" },
    rules: [],
    ...control.instance,
  };
}

function misskeyApi(world: World, ask: Ask): Answer {
  const { control, origin } = world;
  if (ask.method !== "POST") return failed(405, "Method not allowed");
  const text = (key: string) => (typeof ask.body[key] === "string" ? ask.body[key] : null);
  const misskeyError = (status: number, code: string): Answer => ({
    status,
    json: { error: { code, message: code, kind: "client", id: "0" } },
  });
  switch (ask.url.pathname) {
    case "/api/notes/search-by-tag": {
      const tag = text("tag");
      if (tag === null || tag === "") return misskeyError(400, "INVALID_PARAM");
      const limit = typeof ask.body["limit"] === "number" ? ask.body["limit"] : 10;
      if (limit < 1 || limit > 100) return misskeyError(400, "INVALID_PARAM");
      const since = text("sinceId");
      const page = selectPage(
        control.posts,
        {
          hashtag: tag,
          limit,
          max_id: text("untilId"),
          min_id: since,
          only_media: ask.body["withFiles"] === true,
        },
        isReadable,
      );
      // Notes ascend with `sinceId`.
      if (since !== null) page.reverse();
      return ok(page.map((post) => renderNote(post, origin)));
    }
    case "/api/notes/show": {
      const post = control.posts.find((one) => one.id === text("noteId"));
      return post && post.deleted === null && isReadable(post)
        ? ok(renderNote(post, origin))
        : misskeyError(400, "NO_SUCH_NOTE");
    }
    case "/api/users/show": {
      const ids = ask.body["userIds"];
      if (Array.isArray(ids)) {
        return ok(
          control.people.filter((one) => ids.includes(one.id)).map((one) => renderProfile(one, origin)),
        );
      }
      const author = control.people.find(
        (one) => one.username === text("username") || one.id === text("userId"),
      );
      return author ? ok(renderProfile(author, origin)) : misskeyError(404, "NO_SUCH_USER");
    }
    case "/api/meta":
      return ok({ name: "A simulated server", version: VERSIONS.misskey, uri: origin });
    default:
      return misskeyError(404, "UNKNOWN_API_ENDPOINT");
  }
}

function actorOf({ origin }: World, author: SimAuthor): Json {
  return {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${origin}/users/${author.username}`,
    type: "Person",
    preferredUsername: author.username,
    name: author.display_name,
    summary: `<p>${escapeHtml(author.bio)}</p>`,
    url: `${origin}/@${author.username}`,
  };
}

function pageOf(world: World, ask: Ask, id: string): Answer {
  const post = world.control.posts.find((one) => one.id === id || one.uuid === id);
  if (!post || post.deleted === "missing" || !isReadable(post)) return failed(404, "Record not found");
  if (post.deleted === "gone") return failed(410, "Gone");
  if (ask.wantsObject && world.software === "gotosocial") return failed(401, "Unauthorized");
  const { uri, url } = addressesOf(post, world);
  const everybody = "https://www.w3.org/ns/activitystreams#Public";
  const followers = `${world.origin}/users/${post.author.username}/followers`;
  if (ask.wantsObject) {
    return ok(
      {
        "@context": "https://www.w3.org/ns/activitystreams",
        id: uri,
        type: "Note",
        url,
        attributedTo: `${world.origin}/users/${post.author.username}`,
        to: [post.visibility === "public" ? everybody : followers],
        cc: [post.visibility === "public" ? followers : everybody],
        published: post.created_at.toISOString(),
        content: contentHtml(post, world),
      },
      { "content-type": "application/activity+json" },
    );
  }
  const pictures = post.media.map(
    (media) =>
      `<img src="/media/${encodeURIComponent(media.id)}/small.jpg" alt="${escapeHtml(media.alt ?? "")}">`,
  );
  return {
    status: 200,
    html: `<!DOCTYPE html><html lang="${post.language ?? "en"}"><meta charset="utf-8"><title>${escapeHtml(post.author.display_name)}</title><style>body{max-width:40rem;margin:3rem auto;font:1.1rem/1.5 system-ui;padding:0 1rem}img{max-width:100%}.invisible{display:none}</style><h1>${escapeHtml(post.author.display_name)}</h1>${contentHtml(post, world)}${pictures.join("")}<p><small>A simulated post.</small></p></html>`,
  };
}
