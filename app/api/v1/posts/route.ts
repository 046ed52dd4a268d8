import { ok, operation, routes } from "#lib/accounts/route.ts";
import { pageLinks } from "#lib/base/http/page-link.ts";
import { PostQuery } from "#lib/review/filter-schema.ts";
import { listPosts } from "#lib/review/list-posts.ts";
import { PostList } from "#lib/review/post-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts", {
  GET: operation({
    id: "listPosts",
    summary: "List posts",
    description:
      "Newest first unless `order` says otherwise. Filters can be combined; `total` is exact unless `total_is_more` says otherwise.",
    tag: "Posts",
    scope: "read",
    query: PostQuery,
    responses: { 200: PostList },
    headers: { 200: { Link: 'Addresses of the next and previous page, `rel="next"` and `rel="prev"`.' } },
    handle: async ({ query, request }) => {
      const list = await listPosts(query);
      return ok(list, pageLinks(request, list));
    },
  }),
});
