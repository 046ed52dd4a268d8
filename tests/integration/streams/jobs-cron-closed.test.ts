import { expect, test, vi } from "vitest";
import * as cleanupRoute from "#app/api/cron/cleanup/route.ts";
import * as tickRoute from "#app/api/cron/tick/route.ts";
import { call } from "#tests/setup/request.ts";

vi.hoisted(() => {
  delete process.env.CRON_SECRET;
});

test("cron routes refuse all calls when no secret is set", async () => {
  for (const [path, route] of [
    ["/api/cron/tick", tickRoute],
    ["/api/cron/cleanup", cleanupRoute],
  ] as const) {
    const attempts: Record<string, string>[] = [
      {},
      { authorization: "Bearer " },
      { authorization: "Bearer undefined" },
    ];
    for (const headers of attempts) {
      const answer = await call(route.GET, { path, headers });
      expect(answer.status).toBe(503);
      expect(answer.json).toMatchObject({ detail: expect.stringContaining("CRON_SECRET") as string });
    }
  }
});
