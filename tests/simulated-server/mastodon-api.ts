import { type Answer, type Ask, failed, isReadable, ok, type World } from "./answers.ts";
import { boosting } from "./boosting.ts";
import { renderStatus } from "./render-status.ts";
import { selectPage } from "./timeline.ts";

export function mastodonApi(world: World, ask: Ask): Answer {
  const { pathname } = ask.url;
  const { control, software } = world;
  const part = (pattern: RegExp) => pattern.exec(pathname)?.[1];
  const boost = boosting(world, ask);
  if (boost !== null) return boost;
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
  return failed(404, "Not found");
}

function timeline(world: World, url: URL, hashtag: string): Answer {
  const { control, software } = world;
  const query = url.searchParams;
  const limit = Math.min(40, Math.max(1, Number(query.get("limit")) || 20));
  const pixelfed = software === "pixelfed";
  const page = selectPage(
    control.posts,
    {
      hashtag,
      limit,
      max_id: query.get("max_id"),
      only_media: pixelfed && query.get("only_media") !== "0",
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
