import { type Answer, type Ask, failed, isReadable, ok, VERSIONS, type World } from "./answers.ts";
import { renderNote, renderProfile } from "./render-note.ts";
import { selectPage } from "./timeline.ts";

export function misskeyApi(world: World, ask: Ask): Answer {
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
