import { db } from "#lib/base/db.ts";

/*
 * Baselines: `bare` does nothing, `select1` runs `SELECT 1`. Without the route wrapper, which is part of the
 * measurement. `addComparisonRoute` copies this file into `app`.
 */

export const dynamic = "force-dynamic";

export async function GET(
  _request: Request,
  { params }: { params: Promise<{ kind: string }> },
): Promise<Response> {
  const { kind } = await params;
  // An interrupted build may still contain this route.
  if (process.env.BENCH_ROUTES !== "on" || (kind !== "bare" && kind !== "select1")) {
    return Response.json({ detail: "Not found" }, { status: 404 });
  }
  if (kind === "select1") await db.$queryRaw`SELECT 1`;
  return Response.json({ ok: true });
}
