import { db } from "#lib/db.ts";
import { env } from "#lib/env.ts";

/** Answer of the bench's two yardsticks, `bare` and `select1`; 404 unless BENCH_ROUTES is on. */
export async function benchAnswer(kind: string): Promise<Response> {
  if (!env().BENCH_ROUTES || (kind !== "bare" && kind !== "select1")) {
    return Response.json({ detail: "Not found" }, { status: 404 });
  }
  if (kind === "select1") await db.$queryRaw`SELECT 1`;
  return Response.json({ ok: true });
}
