import { z } from "zod";

const flag = (fallback: boolean) =>
  z.string().optional().transform((v) => (v === undefined || v === "" ? fallback : ["1", "true", "yes", "on"].includes(v.toLowerCase())));

const schema = z.object({
  NODE_ENV: z.string().default("development"),
  DATABASE_URL: z.string().optional(),
  DIRECT_URL: z.string().optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
  HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  PUBLIC_URL: z.string().optional(),
  DATA_DIR: z.string().default("./data"),
  AUTH_SECRET: z.string().optional(),
  ENCRYPTION_KEY: z.string().optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  TIME_ZONE: z.string().default("UTC"),
  RESERVE_TIMEOUT_SECONDS: z.coerce.number().int().min(1).default(300),
  RETENTION_DAYS: z.coerce.number().int().min(0).default(7),
  MAX_POSTS_PER_FETCH: z.coerce.number().int().min(1).max(400).default(20),
  BACKFILL_DAYS: z.coerce.number().int().min(0).default(1),
  OVERLAP_HOURS: z.coerce.number().int().min(0).default(6),
  DEFAULT_INSTANCE: z.string().default("mastodon.social"),
  REFUSAL_BACKOFF: flag(true),
  CORS_ORIGINS: z.string().default(""),
  TRUSTED_PROXIES: z.string().default(""),
  ALLOWED_PRIVATE_HOSTS: z.string().default(""),
  CONTACT_URL: z.string().default(""),
  CRON_SECRET: z.string().optional(),
});

export type Env = z.infer<typeof schema>;
let cached: Env | undefined;

/** The settings of this process, parsed once from the environment. */
export function env(): Env {
  return (cached ??= schema.parse(process.env));
}
