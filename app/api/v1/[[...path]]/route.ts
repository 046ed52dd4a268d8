import { unknownPath } from "#lib/accounts/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPath();
