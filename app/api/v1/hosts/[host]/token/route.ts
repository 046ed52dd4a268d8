import { noContent, operation, routes } from "#lib/accounts/route.ts";
import { HostToken } from "#lib/collect/stream-schema.ts";
import { setHostToken } from "#lib/fediverse/hosts.ts";
import { decodeUri } from "#lib/fediverse/urls.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/hosts/{host}/token", {
  PUT: operation({
    id: "setServerToken",
    summary: "Set the access token for a server",
    description:
      "For servers that show timelines only to accounts. Stored encrypted and not shown again; null removes the token.",
    tag: "Servers",
    scope: "manage",
    body: HostToken,
    responses: { 204: null },
    handle: async ({ principal, raw, body }) => {
      await setHostToken(principal, decodeUri(raw["host"] ?? ""), body.token);
      return noContent();
    },
  }),
});
