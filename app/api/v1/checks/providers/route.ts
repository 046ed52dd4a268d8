import { ok, operation, routes } from "#lib/http/route.ts";
import { listProviders } from "#lib/checks/remote/list-providers.ts";
import { RemoteProviders } from "#lib/checks/remote/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/checks/providers", {
  GET: operation({
    id: "listCheckProviders",
    summary: "List the remote providers of checks",
    description: "They are set in the environment of the service. Keys are not shown.",
    tag: "Checks",
    scope: "read",
    responses: { 200: RemoteProviders },
    handle: async () => ok(await listProviders()),
  }),
});
