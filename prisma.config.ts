import { defineConfig } from "prisma/config";

// `prisma generate` needs no schema engine, yet looks for one and would download it. A path that exists
// satisfies it, so the client can be generated where only the npm registry is reachable.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  ...(process.env.DATABASE_URL
    ? { datasource: { url: process.env.DIRECT_URL ?? process.env.DATABASE_URL } }
    : {}),
});
