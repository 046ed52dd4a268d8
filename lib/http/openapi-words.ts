export const guide = `Sluice collects posts from hashtag streams of the fediverse, lets people or programs approve or
reject them, and hands approved posts one at a time to consumers.

**A consumer** needs three calls: \`GET /curated/next\` reserves a post (204: nothing now, come back later), then
\`POST /curated/{post_id}/ack\` when it was boosted, \`/nack\` when it should be offered again, or \`/error\` when it
never can be. A post whose reservation runs out is offered again: delivery is at least once.

**Keys** are made in the settings, or with \`POST /api-keys/generate\`, and sent as \`X-API-Key\`. A key has scopes
(\`read\`, \`consume\`, \`review\`, \`manage\`, \`keys\`), never more than its maker's role.

**Errors** are JSON with a \`detail\`. **Times** are ISO 8601 in UTC. **Ids** in paths are positive integers; anything
else is an unknown id. Paths are without a trailing slash.`;

export const securitySchemes = {
  ApiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The usual method." },
  Bearer: { type: "http", scheme: "bearer", description: "The same key as a bearer token." },
  Session: {
    type: "apiKey",
    in: "cookie",
    name: "next-auth.session-token",
    description:
      "The dashboard's session (`__Secure-next-auth.session-token` over https). Whatever changes something also " +
      "needs `Sec-Fetch-Site: same-origin` or a matching `Origin`.",
  },
} as const;

export const firstPaths: readonly string[] = [
  "/curated/next",
  "/curated/{post_id}/ack",
  "/curated/{post_id}/nack",
  "/curated/{post_id}/error",
  "/curated/{post_id}/extend",
];

export const commonHeaders = {
  "X-Request-Id": {
    description: "Names this request in the log; one of at most 128 safe characters that was sent is kept.",
    schema: { type: "string" },
  },
} as const;

const tags: Record<string, string> = {
  "Curated queue": "Approved posts, handed out one at a time.",
  Posts: "What the streams brought, and what was decided about it.",
  Review: "The desk: posts to decide on, decisions, batches.",
  "Hashtag streams": "Where posts come from. `/streams` and `/hashtags` are the same.",
  "Reblog controls": "What is rejected on arrival, and what is held back from the queue.",
  "Topical tags": "Which hashtags belong to which day.",
  Classification: "The text rules that advise reviewers, and the operator's own list of words.",
  Statistics: "Figures, now and of all time.",
  Logs: "Who did what, when and through what; never changed, only added to.",
  Export: "Everything people have entered here, in one file.",
  "API keys": "Keys for consumers and scripts.",
  Members: "The people who work here.",
  Profile: "What members decide about themselves.",
  Health: "For load balancers and monitors; at the root of the address.",
};

/** In the order above; tags without a description come last. */
export function tagsOf(used: string[]): { name: string; description?: string }[] {
  const names = new Set(used);
  const known = Object.entries(tags).filter(([name]) => names.has(name));
  const others = [...names].filter((name) => tags[name] === undefined).sort();
  return [
    ...known.map(([name, description]) => ({ name, description })),
    ...others.map((name) => ({ name })),
  ];
}

const statuses: Record<number, string> = {
  200: "Done",
  201: "Made",
  204: "Done; no body",
  400: "The request cannot be read",
  401: "No key, or none that is known (any more)",
  403: "Not within this key's scopes or this role",
  404: "Not there",
  409: "Does not fit the present state; nothing was changed",
  412: "The reservation is another one by now",
  413: "The body is larger than 256 KiB",
  422: "The request can be read, but says something that is not possible",
  500: "Our fault; the request id finds it in the log",
  502: "Another server failed",
  503: "Not now; try again",
  504: "Another server took too long",
};

export function describedStatus(status: number): string {
  return statuses[status] ?? `Status ${status}`;
}
