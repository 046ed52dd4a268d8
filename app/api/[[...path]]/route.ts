import { unknownPath } from "#lib/http/route.ts";

/** Every path below /api that is of no version and no other file: programs ask there, so they get no page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath();
