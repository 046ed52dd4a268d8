import { unknownPath } from "#lib/accounts/route.ts";

/** API clients get a JSON 404 instead of a page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath();
