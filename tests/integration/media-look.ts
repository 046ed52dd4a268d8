import type { RouteHandler } from "#tests/setup/request.ts";

export interface Looked {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** Calls a route of /media with path parameters in their order, and reads the whole answer. */
export async function look(
  handler: RouteHandler,
  params: Record<string, string | number>,
  { query = "", headers }: { query?: string; headers: Record<string, string> },
): Promise<Looked> {
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const path = `/media/${Object.values(texts).join("/")}${query}`;
  const request = new Request(new URL(path, "http://localhost:3000"), { headers });
  const response = await handler(request, { params: Promise.resolve(texts) });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** Media of a post, as stored, at an origin. */
export const mediaAt =
  (origin: string) =>
  (type: string, path: string, preview: string | null = null) => ({
    type,
    url: origin + path,
    preview_url: preview === null ? null : origin + preview,
  });
