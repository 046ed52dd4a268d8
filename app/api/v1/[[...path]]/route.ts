import { unknownPath } from "#lib/http/route.ts";

/** Every path below /api/v1 that no other file names. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath();
