import { routes } from "#lib/http/route.ts";
import { streamFetch } from "#lib/streams/api.ts";

/** 25 s of fetching, one answer of the other server that may still be under way, and room to spare. */
export const maxDuration = 60;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/hashtags/{id}/fetch", streamFetch);
