import { type Answer, type Ask, failed, isReadable, ok, type World } from "./answers.ts";
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
      const page = selectPage(control.posts, { hashtag: tag, limit, max_id: text("untilId") }, isReadable);
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
      const known = Array.isArray(ids) ? control.people.filter((one) => ids.includes(one.id)) : [];
      return ok(known.map((one) => renderProfile(one, origin)));
    }
    default:
      return misskeyError(404, "UNKNOWN_API_ENDPOINT");
  }
}
