import { apiFetch } from "#lib/client/api-fetch.ts";

export const SERVERS = "/hosts";

/** Null removes it. */
export function putToken(host: string, token: string | null): Promise<void> {
  return apiFetch(`/hosts/${encodeURIComponent(host.trim())}/token`, { method: "PUT", body: { token } });
}
