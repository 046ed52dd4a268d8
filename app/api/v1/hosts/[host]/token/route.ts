import { noContent, operation, routes } from "#lib/http/route.ts";
import { HostToken } from "#lib/streams/schema.ts";
import { setHostToken } from "#lib/hosts/host-token.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/hosts/{host}/token", {
  PUT: operation({
    summary: "Set the access token for a server",
    description:
      "For servers that show their timelines to accounts only. Kept encrypted and never shown again; null removes it.",
    tag: "Hashtag streams",
    scope: "manage",
    body: HostToken,
    responses: { 204: null },
    handle: async ({ principal, raw, body }) => {
      await setHostToken(principal, raw["host"] ?? "", body.token);
      return noContent();
    },
  }),
});
