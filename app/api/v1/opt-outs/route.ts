import { ok, operation, routes } from "#lib/accounts/route.ts";
import { OptOutList } from "#lib/collect/opt-out-schema.ts";
import { listOptOuts } from "#lib/collect/opt-outs.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/opt-outs", {
  GET: operation({
    id: "listOptOuts",
    summary: "List unresolved reported opt-outs",
    description:
      "Opt-outs reported by consumers. The posts of these authors are held until a member decides.",
    tag: "Blocking",
    scope: "read",
    responses: { 200: OptOutList },
    handle: async () => ok(await listOptOuts()),
  }),
});
