import { routes } from "#lib/accounts/route.ts";
import { streamFetch } from "#lib/collect/api.ts";

/** Seconds: 25 of fetching and one running request. */
export const maxDuration = 60;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/streams/{id}/fetch", streamFetch);
