import { type Answer, type Ask, failed, isReadable, ok, type World } from "./answers.ts";
import { renderStatus, type Json } from "./render-status.ts";

/** Search and boost, which a bot uses; null for other requests. Every token is accepted. */
export function boosting(world: World, ask: Ask): Answer | null {
  const { pathname, searchParams } = ask.url;
  const boosted = /^\/api\/v1\/statuses\/([^/]+)\/reblog$/.exec(pathname)?.[1];
  if (pathname !== "/api/v2/search" && boosted === undefined) return null;
  if (ask.token === null) return failed(401, "The access token is invalid");
  if (boosted !== undefined) return ask.method === "POST" ? boost(world, boosted) : failed(404, "Not found");
  const address = searchParams.get("q");
  const isResolved = /^(true|1)$/i.test(searchParams.get("resolve") ?? "");
  const statuses = world.control.posts
    .filter((post) => post.deleted === null && isReadable(post) && isResolved)
    .map((post): Json => renderStatus(post, world))
    .filter(({ uri, url }) => address !== null && (uri === address || url === address));
  return ok({ accounts: [], statuses, hashtags: [] });
}

function boost(world: World, id: string): Answer {
  const { control } = world;
  const post = control.posts.find((each) => each.id === id && each.deleted === null && isReadable(each));
  if (post === undefined) return failed(404, "Record not found");
  if (control.boosted.includes(post.id))
    return failed(422, "Validation failed: Reblog of status already exists");
  control.boosted.push(post.id);
  const status = renderStatus(post, world);
  const address = `${world.origin}/users/bot/statuses/${post.id}-boost/activity`;
  return ok({ ...status, id: `${post.id}-boost`, uri: address, url: address, reblog: status });
}
