import { z } from "zod";
import { noContent, operation, routes } from "#lib/accounts/route.ts";
import { text } from "#lib/base/http/fields.ts";
import { setHostToken } from "#lib/fediverse/host-token.ts";
import { hostInPath } from "#lib/fediverse/instance.ts";

const HostToken = z
  .object({
    token: text(4000, 1)
      .regex(/^[\x21-\x7e]+$/, "must be a token without blanks")
      .nullable()
      .describe("Access token of the server; null removes it."),
  })
  .meta({ id: "HostToken", example: { token: "a-token-of-that-server" } });

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
      await setHostToken(principal, hostInPath(raw["host"] ?? ""), body.token);
      return noContent();
    },
  }),
});
