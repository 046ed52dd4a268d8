import { ok, operation, routes } from "#lib/accounts/route.ts";
import { listServers } from "#lib/collect/list-servers.ts";
import { ServerList } from "#lib/collect/stream-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/hosts", {
  GET: operation({
    id: "listServers",
    summary: "List servers and their access tokens",
    description: "The servers that streams are read from, and those with a token. Tokens are never shown.",
    tag: "Servers",
    scope: "manage",
    responses: { 200: ServerList },
    handle: async () => ok(await listServers()),
  }),
});
