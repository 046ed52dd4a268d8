import { actorOf, pageOf, webfinger } from "./activitypub.ts";
import { type Answer, type Ask, failed, ok, type World } from "./answers.ts";
import type { FaultTarget } from "./faults.ts";
import { mastodonApi } from "./mastodon-api.ts";
import { misskeyApi } from "./misskey-api.ts";
import type { Json } from "./render-status.ts";

export function targetOf(pathname: string): FaultTarget {
  if (/^\/api\/v1\/timelines\/|^\/api\/notes\/search-by-tag$/.test(pathname)) return "timeline";
  if (pathname.startsWith("/api/users/")) return "account";
  if (/nodeinfo/.test(pathname)) return "nodeinfo";
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

/** Clients refuse requests to servers of an old version. */
function nodeinfo({ software }: World): Json {
  return { version: "2.0", software: { name: software, version: "4.5.2" }, protocols: ["activitypub"] };
}
