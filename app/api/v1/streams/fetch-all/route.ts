import { routes } from "#lib/http/route.ts";
import { streamsFetchAll } from "#lib/streams/api.ts";

/** 25 s of waiting, and room to spare. */
export const maxDuration = 60;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/streams/fetch-all", streamsFetchAll);
