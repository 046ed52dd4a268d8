import { afterAll, beforeAll, beforeEach } from "vitest";
import { db } from "#lib/base/db.ts";
import { forgetFailures } from "#lib/media/fetch-bytes.ts";
import { makeMember } from "#tests/setup/factories.ts";
import { type RouteHandler, sessionHeaders } from "#tests/setup/request.ts";
import type { MediaEnvironment } from "./media-environment.ts";

/**
 * Sets up picture tests: a member, a fresh remote server before each test, removal at the end.
 *
 * @returns the member's headers (empty before the first test), media of the server, and a request counter
 */
export function useMediaEnvironment({ host, takeDown }: MediaEnvironment) {
  const viewer: Record<string, string> = {};
  beforeAll(async () => {
    Object.assign(viewer, await sessionHeaders(await makeMember("viewer")));
  });
  beforeEach(async () => {
    forgetFailures();
    host.hits.clear();
    await db.host_state.deleteMany();
  });
  afterAll(takeDown);
  return { viewer, medium: mediaAt(host.origin), hits: (path: string) => host.hits.get(path) ?? 0 };
}

export interface MediaResponse {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

export async function requestMedia(
  handler: RouteHandler,
  params: Record<string, string | number>,
  { query = "", headers }: { query?: string; headers: Record<string, string> },
): Promise<MediaResponse> {
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const path = `/media/${Object.values(texts).join("/")}${query}`;
  const request = new Request(new URL(path, "http://localhost:3000"), { headers });
  const response = await handler(request, { params: Promise.resolve(texts) });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

export const mediaAt =
  (origin: string) =>
  (type: string, path: string, preview: string | null = null) => ({
    type,
    url: origin + path,
    preview_url: preview === null ? null : origin + preview,
  });
