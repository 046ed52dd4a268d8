import { routes } from "#lib/http/route.ts";
import { bundleOperation } from "#lib/http/scalar-bundle.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/scalar.js",
  { GET: bundleOperation },
  "/docs",
);
