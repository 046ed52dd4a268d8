import { words } from "#components/words/en.ts";
import type { ScopeName } from "./keys-board.tsx";

const w = words.settings.curlSteps;

/**
 * What to type to try a key, a comment above each line, for what the key may do.
 * @param address where this service is reached
 */
export function curlLines(address: string, key: string, scopes: readonly ScopeName[]): string {
  const api = `${address}/api/v1`;
  const header = `-H "X-API-Key: ${key}"`;
  const json = `-H "Content-Type: application/json"`;
  const settle = (verb: string) =>
    `${header} -H 'If-Match: RESERVATION' -X POST ${api}/curated/POST_ID/${verb}`;
  const steps: Record<ScopeName, [string, string][]> = {
    consume: [
      [w.consume, `curl -i ${header} ${api}/curated/next`],
      [w.ack, `curl -i ${settle("ack")}`],
      [w.error, `curl -i ${settle("error")} ${json} -d '{"reason": "Status not found on fediverse"}'`],
    ],
    read: [[w.read, `curl ${header} "${api}/posts?limit=5"`]],
    review: [[w.review, `curl ${header} ${json} -X PATCH ${api}/posts/POST_ID -d '{"approved": true}'`]],
    manage: [[w.manage, `curl ${header} -X POST ${api}/streams/fetch-all`]],
    keys: [[w.keys, `curl ${header} ${api}/api-keys/status`]],
  };
  const order: ScopeName[] = ["consume", "read", "review", "manage", "keys"];
  return order
    .filter((scope) => scopes.includes(scope))
    .flatMap((scope) => steps[scope].map(([comment, line]) => `# ${comment}\n${line}`))
    .join("\n\n");
}
