import { words } from "#components/words/en.ts";
import type { ScopeName } from "./key-facts.ts";

const w = words.settings.curlSteps;

/**
 * Lines to try a key, by its scopes.
 *
 * @param address base address of this service
 */
export function curlLines(address: string, key: string, scopes: readonly ScopeName[]): string {
  const header = `-H "X-API-Key: $KEY"`;
  const json = `-H "Content-Type: application/json"`;
  const settle = (verb: string) =>
    `curl -i ${header} -H 'If-Match: RESERVATION' -X POST $API/curated/POST_ID/${verb}`;
  const steps: Record<ScopeName, [string, string][]> = {
    consume: [
      [w.consume, `curl -i ${header} $API/curated/next`],
      [w.ack, settle("ack")],
      [w.error, `${settle("error")} -d '{"reason": "Status not found on fediverse"}'`],
    ],
    read: [[w.read, `curl ${header} "$API/posts?limit=5"`]],
    review: [[w.review, `curl ${header} ${json} -X PATCH $API/posts/POST_ID -d '{"approved": true}'`]],
    manage: [[w.manage, `curl ${header} -X POST $API/streams/fetch-all`]],
    keys: [[w.keys, `curl ${header} $API/api-keys/status`]],
  };
  const order: ScopeName[] = ["consume", "read", "review", "manage", "keys"];
  const lines = order
    .filter((scope) => scopes.includes(scope))
    .flatMap((scope) => steps[scope].map(([comment, line]) => `# ${comment}\n${line}`));
  return [`API=${address}/api/v1\nKEY=${key}`, ...lines].join("\n\n");
}
