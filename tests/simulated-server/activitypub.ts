import { type Answer, type Ask, failed, isReadable, ok, type World } from "./answers.ts";
import type { SimAuthor } from "./model.ts";
import { addressesOf, contentHtml, escapeHtml, type Json } from "./render-status.ts";

/* Actors, posts as objects and as pages, and WebFinger. */

export function webfinger({ control, origin }: World, resource: string): Answer {
  const account = resource.replace(/^acct:/, "");
  const [username, host] = account.split("@");
  const isOwn = host === new URL(origin).host;
  const person = control.people.find((one) => one.host === null && one.username === username);
  const actor = control.webfinger.has(account)
    ? control.webfinger.get(account)
    : isOwn && person && `${origin}/users/${username}`;
  if (!actor) return failed(404, "Record not found");
  return ok({
    subject: `acct:${isOwn ? `${username}@${control.accountDomain ?? host}` : account}`,
    links: [{ rel: "self", type: "application/activity+json", href: actor }],
  });
}

export function actorOf({ origin }: World, author: SimAuthor): Json {
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

export function pageOf(world: World, ask: Ask, id: string): Answer {
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
  const name = escapeHtml(post.author.display_name);
  return {
    status: 200,
    html: `<!DOCTYPE html><meta charset="utf-8"><title>${name}</title><h1>${name}</h1>${contentHtml(post, world)}`,
  };
}
