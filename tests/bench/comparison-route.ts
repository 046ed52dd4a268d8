import { db } from "#lib/db.ts";

/*
 * The handlers that the bench compares the API with: `bare` does nothing, `select1` runs `SELECT 1`. They are not
 * wrapped, because the wrapper is part of the measurement. `addComparisonRoute` copies this file into `app`.
 */

export const dynamic = "force-dynamic";

export async function GET(
  _request: Request,
  { params }: { params: Promise<{ kind: string }> },
): Promise<Response> {
  const { kind } = await params;
  // A build that was interrupted may still contain this route.
  if (process.env.BENCH_ROUTES !== "on" || (kind !== "bare" && kind !== "select1")) {
    return Response.json({ detail: "Not found" }, { status: 404 });
  }
  if (kind === "select1") await db.$queryRaw`SELECT 1`;
  return Response.json({ ok: true });
}
