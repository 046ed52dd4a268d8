import { getQuality } from "#lib/checks/quality/quality.ts";
import { ChecksQuality } from "#lib/checks/quality/schema.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/checks/quality", {
  GET: operation({
    id: "getCheckQuality",
    summary: "Get how well the checks predict decisions",
    description:
      "Computed from the newest 20 000 decisions, with the scores that the checks gave before each decision. Decisions of API keys that are not learnt from are left out.",
    tag: "Checks",
    scope: "read",
    responses: { 200: ChecksQuality },
    handle: async () => ok(await getQuality()),
  }),
});
