import { unknownId, type AnyOperation } from "./operation.ts";

/* Texts of the document as a whole, of tags, statuses and path parameters: they belong to no single operation or field. */

export const guide = `Sluice collects posts from hashtag streams of the fediverse, lets people or programs approve or
reject them, and hands approved posts one at a time to consumers.

**A consumer** needs three calls: \`GET /curated/next\` reserves a post (204: no post is available now), then
\`POST /curated/{post_id}/ack\` when it was boosted, \`/nack\` when it should be offered again, or \`/error\` when it
cannot be used. A post whose reservation expires is offered again: delivery is at least once.

**Keys** are made in the settings, or with \`POST /api-keys/generate\`, and sent as \`X-API-Key\`. A key has scopes
(\`read\`, \`consume\`, \`review\`, \`manage\`, \`keys\`), never more than its creator's role allows.

**Errors** are JSON with a \`detail\`. **Times** are ISO 8601 in UTC. **Ids** in paths are positive integers; anything
else is answered as an unknown id. Paths are without a trailing slash.`;

export const securitySchemes = {
  ApiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "API key in its own header." },
  Bearer: { type: "http", scheme: "bearer", description: "API key as a bearer token." },
  Session: {
    type: "apiKey",
    in: "cookie",
    name: "next-auth.session-token",
    description:
      "The dashboard's session (`__Secure-next-auth.session-token` over https). Requests that change something also " +
      "need `Sec-Fetch-Site: same-origin` or a matching `Origin`.",
  },
} as const;

export const commonHeaders = {
  "X-Request-Id": {
    description:
      "Id of this request in the log. A valid `X-Request-Id` of the request (at most 128 safe characters) is kept.",
    schema: { type: "string" },
  },
} as const;

/** Named as on the screens, and in their order. */
export const tags = {
  Queue: "Approved posts, handed out one at a time.",
  Posts: "Collected posts, their review states and histories.",
  Review: "Cards of the review desk, decisions and batches.",
  Streams: "Where posts come from.",
  Blocking: "Block lists, opt-outs and switches.",
  Topical: "Hashtags that have a day of the week or of the year.",
  Statistics: "Figures, now and of all time.",
  Logs: "Decisions and changes. Entries are never changed.",
  Keys: "Keys for bots and scripts.",
  Profile: "The signed-in member.",
  Health: "For load balancers and monitors, without a key. The paths are at the root of the address.",
  Aliases:
    "Each path `/hashtags…` is the same operation as the path `/streams…`, with the same bodies and answers.",
};

const statuses: Record<number, string> = {
  200: "Success",
  201: "Created",
  204: "Success, no body",
  304: "Not changed since the `ETag` of `If-None-Match`",
  400: "The request cannot be read",
  401: "Missing, unknown or revoked key, or no session",
  403: "The key lacks the scope, or the member lacks the role",
  404: "Not found",
  409: "Conflict with the current state; nothing was changed",
  412: "The reservation has changed",
  413: "The body is larger than 256 KiB",
  422: "A field has an invalid value",
  500: "Internal error; the log has it under the request id",
  502: "A remote server failed",
  503: "Temporarily unavailable; try again",
  504: "A remote server did not answer in time",
};

/** Description of a status. */
export function describedStatus(status: number): string {
  return statuses[status] ?? `Status ${status}`;
}

/** Description of a path parameter. That of an id quotes the refusal of an unknown one. */
export function describedParameter(name: string, op: Pick<AnyOperation, "errors">): string {
  if (name === "post_id")
    return "Id of the post: `fenliu_post_id` of the queue item, which is `id` in `GET /posts`.";
  if (name === "account") return "Account as `@user@host`.";
  if (name === "host") return "Host name of the server.";
  const unknown = unknownId(op, `{${name}}`).message;
  return `Id. An unknown one is refused with 404 \`${unknown}\`.`;
}
