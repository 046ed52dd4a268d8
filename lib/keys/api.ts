import { z } from "zod";
import { text } from "#lib/http/fields.ts";
import { operation } from "#lib/http/route.ts";
import { deliveredFeed } from "./delivered-feed.ts";

const feeds = {
  json: { id: "getDeliveredJson", name: "a JSON Feed", type: "application/feed+json" },
  rss: { id: "getDeliveredRss", name: "an RSS feed", type: "application/rss+xml" },
};

export function feedOperation(format: "json" | "rss") {
  const { id, name, type } = feeds[format];
  return operation({
    id,
    summary: `Read the posts that a key delivered, as ${name}`,
    description:
      "The newest 50 that could still be delivered: a post that was withdrawn, deleted, blocked or forgotten since is " +
      "left out. The address with its token is on the page of the key; it ends with the key and with its secret.",
    tag: "Keys",
    auth: "none",
    ids: ["id"],
    query: z.object({
      token: text(200).optional().meta({ description: "Token of the address.", example: "k3…" }),
    }),
    responses: { 200: null, 304: null },
    contentType: type,
    headers: { 200: { ETag: "For `If-None-Match`." } },
    errors: ["feed_not_found"],
    handle: async ({ params, query, request }) => {
      const { body, etag } = await deliveredFeed(params.id, query.token ?? "", format);
      const headers = { ETag: etag, "Cache-Control": "private, max-age=300" };
      if (request.headers.get("if-none-match") === etag) return { status: 304, headers };
      return {
        status: 200,
        raw: body,
        headers: { "Content-Type": `${type}; charset=utf-8`, ...headers },
      };
    },
  });
}
