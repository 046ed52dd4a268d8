import { routes } from "#lib/http/route.ts";
import { checkSourcesAfterResponse } from "#lib/jobs/after-response.ts";
import { decisionOperation } from "#lib/review/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}/approve", {
  POST: decisionOperation(true, checkSourcesAfterResponse),
});
