import { routes } from "#lib/accounts/route.ts";
import { streamsFetchAll } from "#lib/collect/api.ts";

/** Seconds: 25 of waiting and a margin. */
export const maxDuration = 60;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/streams/fetch-all", streamsFetchAll);
