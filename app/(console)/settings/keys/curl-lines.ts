import type { Scope } from "#lib/base/http/permissions.ts";

/**
 * Lines to try a key, by its scopes.
 *
 * @param address base address of this service
 */
export function curlLines(address: string, key: string, scopes: readonly Scope[]): string {
  const header = `-H "X-API-Key: $KEY"`;
  const json = `-H "Content-Type: application/json"`;
  const settle = (verb: string) =>
    `curl -i ${header} -H 'If-Match: RESERVATION' -X POST $API/curated/POST_ID/${verb}`;
  const steps: Record<Scope, [string, string][]> = {
    consume: [
      [
        "Take the next post. The ETag of the response is your reservation.",
        `curl -i ${header} $API/curated/next`,
      ],
      ["Report it as boosted: POST_ID is fenliu_post_id, RESERVATION is the ETag.", settle("ack")],
      [
        "Or report that it cannot be boosted, with a fixed reason.",
        `${settle("error")} -d '{"reason": "Status not found on fediverse"}'`,
      ],
    ],
    read: [["List the newest posts.", `curl ${header} "$API/posts?limit=5"`]],
    review: [
      ["Approve a post.", `curl ${header} ${json} -X PATCH $API/posts/POST_ID -d '{"approved": true}'`],
    ],
    manage: [["Fetch all streams.", `curl ${header} -X POST $API/streams/fetch-all`]],
    keys: [["List the keys.", `curl ${header} $API/api-keys/status`]],
  };
  const order: Scope[] = ["consume", "read", "review", "manage", "keys"];
  const lines = order
    .filter((scope) => scopes.includes(scope))
    .flatMap((scope) => steps[scope].map(([comment, line]) => `# ${comment}\n${line}`));
  return [`API=${address}/api/v1\nKEY=${key}`, ...lines].join("\n\n");
}
