import { benchAnswer } from "#lib/http/bench-answer.ts";

export const dynamic = "force-dynamic";

/**
 * What the bench holds the API against: a handler that does nothing, and one that does `SELECT 1`. Not wrapped,
 * since the wrapper is part of what is measured. 404 unless the bench started this server.
 */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ kind: string }> },
): Promise<Response> {
  return benchAnswer((await params).kind);
}
