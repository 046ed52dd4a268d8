import { listOptOuts } from "#lib/consent/opt-outs.ts";
import { OptOutList } from "#lib/consent/opt-out-schema.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

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
