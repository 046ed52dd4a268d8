import { totalmem } from "node:os";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };

/* The only reader of process.env. An empty value counts as unset, because compose files pass empty values. */

function checked(rule: string, holds: (value: string) => boolean) {
  return z.string().refine(holds, rule);
}

function integer(minimum: number, maximum: number, fallback: number) {
  const isWithin = (value: string) =>
    /^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
  return checked(`must be a whole number from ${minimum} to ${maximum}`, isWithin)
    .transform(Number)
    .default(fallback);
}

/** A list, separated by commas or spaces, of which every entry must be valid. */
function list(rule: string, holds: (entry: string) => boolean) {
  return checked(rule, (value) => entriesOf(value).every(holds))
    .default("")
    .transform(entriesOf);
}

const entriesOf = (value: string) => value.split(/[\s,]+/).filter(Boolean);

/** pg takes these modes for `verify-full`, and prints a warning about it at each start. */
function explicitTls(value: string): string {
  if (value.includes("uselibpqcompat=")) return value;
  return value.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

const isWebAddress = (value: string) => /^https?:\/\//i.test(value) && URL.canParse(value);

/** Whether an address has no path: links, cookies and the same-origin check work by host. */
const isBareAddress = (value: string) => isBaseAddress(value) && /^\/*$/.test(new URL(value).pathname);

/** Whether paths can be appended to an address and its host can be shown: no user name, query or fragment. */
function isBaseAddress(value: string): boolean {
  if (!isWebAddress(value)) return false;
  const { href, origin, pathname } = new URL(value);
  return href === origin + pathname;
}

const isMailServer = (value: string) => /^smtps?:\/\/[^/]/i.test(value) && URL.canParse(value);

/** `name@host` or `Name <name@host>`. */
const isSender = (value: string) => /^(?:[^\s@<>]+@[^\s@<>]+|[^<>\r\n@]*<[^\s@<>]+@[^\s@<>]+>)$/.test(value);
const isContact = (value: string) => isWebAddress(value) || /^mailto:\S+@\S+$/i.test(value);
const isOrigin = (entry: string) => isWebAddress(entry) && new URL(entry).origin === entry;
const isHostOrOrigin = (entry: string) =>
  isOrigin(entry) || (!entry.includes("/") && URL.canParse(`https://${entry}`));

/** A URL accepts "-" and "a..b" as hosts. */
const isHost = (value: string) =>
  /^(?:(?!-)[\p{L}\p{N}-]+(?<!-)(?:\.(?!-)[\p{L}\p{N}-]+(?<!-))*|\[[\da-f:.]+\])(?::\d+)?$/iu.test(value) &&
  URL.canParse(`https://${value}`);

const addressOrRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
const isAddressOrRange = (entry: string) => addressOrRange.safeParse(entry).success;
const isHashtag = (entry: string) => /^#?[\p{L}\p{M}\p{N}_]+$/u.test(entry);

/** Names only: PostgreSQL reads the sign of an offset (`+05:30`) the other way round. */
function isTimeZone(value: string): boolean {
  if (/^[+-]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

const text = z.string().optional();

const webAddress = checked("must be an address that begins with https:// or http://", isWebAddress);
const secret = checked("must have at least 32 characters", (value) => value.length >= 32).optional();
const databaseUrl = checked("must begin with postgresql://", (value) =>
  /^postgres(ql)?:\/\/\S+$/.test(value),
).transform(explicitTls);

const variables = {
  PORT: integer(0, 65535, 3000),
  // An IPv6 address has brackets in a URL, but not for listen().
  HOST: z
    .string()
    .regex(/^\S+$/, "must be an address or a host name")
    .transform((value) => value.replace(/^\[(.+)\]$/, "$1"))
    .default("127.0.0.1"),
  PUBLIC_URL: checked("must be an address without a path, such as https://sluice.example", isBareAddress)
    .transform((value) => new URL(value).origin)
    .optional(),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: databaseUrl.optional(),
  DIRECT_URL: databaseUrl.optional(),
  DATABASE_POOL_SIZE: integer(1, 200, 10),
  PROCESSES: z.enum(["all", "web", "worker"], { error: "must be all, web or worker" }).default("all"),
  AUTH_SECRET: secret,
  ENCRYPTION_KEY: secret,
  BACKUP_DIR: text,
  BACKUP_KEEP: integer(0, 1000, 7),
  ADMIN_EMAIL: checked("must be an e-mail address", (value) => /^[^\s@]+@[^\s@]+$/.test(value)).optional(),
  ADMIN_PASSWORD: text,
  GITHUB_ID: text,
  GITHUB_SECRET: text,
  OIDC_ISSUER: webAddress.optional(),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  SMTP_URL: checked("must begin with smtp:// or smtps:// and name a host", isMailServer).optional(),
  SMTP_FROM: checked("must be an address such as Sluice <sluice@example.org>", isSender).optional(),
  TRUSTED_PROXIES: list("must list IP addresses or ranges such as 10.0.0.0/8", isAddressOrRange),
  CORS_ORIGINS: list("must list origins such as https://example.org", isOrigin),
  CONTACT_URL: checked("must be a web address or begin with mailto:", isContact).default(""),
  SOURCE_URL: webAddress.optional(),
  DEFAULT_INSTANCE: checked("must be a host name such as mastodon.social", isHost).default("mastodon.social"),
  ALLOWED_PRIVATE_HOSTS: list("must list origins such as http://127.0.0.1:4001", isHostOrOrigin),
  MAX_POSTS_PER_FETCH: integer(1, 400, 20),
  BACKFILL_DAYS: integer(0, 365, 1),
  REFUSAL_TAGS: list("must list hashtags such as nobots, separated by commas", isHashtag),
  OPT_IN_TAGS: list("must list hashtags such as boostme, separated by commas", isHashtag),
  RESERVE_TIMEOUT_SECONDS: integer(1, 86_400, 300),
  CONFIRM_WITHIN_HOURS: integer(0, 720, 24),
  RETENTION_DAYS: integer(0, 36_500, 7),
  TIME_ZONE: checked("must be a time zone such as Europe/Berlin", isTimeZone).default("UTC"),
  CRON_SECRET: checked("must have at least 16 characters", (value) => value.length >= 16).optional(),
  AI_VISION: z.enum(["local", "off"], { error: 'must be "local" or "off"' }).default("local"),
  AI_BASE_URL: checked(
    "must be a web address without user name, query and fragment, such as http://localhost:11434/v1",
    isBaseAddress,
  ).optional(),
  AI_MODEL: text,
  AI_API_KEY: checked("must be one line of printable characters", (value) =>
    /^[\x21-\x7e]+$/.test(value),
  ).optional(),
  AI_DAILY_LIMIT: integer(1, 1_000_000, 1000),
  METRICS_TOKEN: secret,
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be one of fatal, error, warn, info, debug, trace and silent",
    })
    .default("info"),
};

const schema = z.object({
  ...variables,
  // Set by tools, so not in .env.example.
  NODE_ENV: z.string().default("development"),
  VERCEL: text,
  VERCEL_ENV: text,
});

/** Megabytes for the picture check, which needs about 0.5 GB with its decoders: a server sold as 2 GB. */
const MIN_VISION_MB = 1_800;

export type Env = z.infer<typeof schema> & { PUBLIC_URL: string };

export const variableNames: readonly string[] = Object.keys(variables);

/** Secrets, and URLs that may contain one: never shown in errors. */
const SECRET = /^(DATABASE|DIRECT|SMTP|AI_BASE)_URL$|(SECRET|PASSWORD|_KEY|TOKEN)$/;

export class SettingsError extends Error {
  override name = "SettingsError";
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/**
 * @param memory megabytes of this machine
 * @throws SettingsError
 */
export function parseEnv(source: Record<string, string | undefined>, memory: number = machineMemory()): Env {
  const given = Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
  // Each function instance has a pool of its own.
  if (given.VERCEL !== undefined) given.DATABASE_POOL_SIZE ??= "3";
  else if (memory < MIN_VISION_MB) given.AI_VISION ??= "off";
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map(
        (issue) => `${issue.path.join(".")} ${issue.message}${shown(issue.path[0], given)}.`,
      ),
    );
  }
  const problems = inconsistencies(parsed.data);
  if (problems.length > 0) throw new SettingsError(problems);
  return {
    ...parsed.data,
    DIRECT_URL: parsed.data.DATABASE_URL && (parsed.data.DIRECT_URL ?? parsed.data.DATABASE_URL),
    PUBLIC_URL: parsed.data.PUBLIC_URL ?? localAddress(parsed.data.HOST, parsed.data.PORT),
    // A fork that names its URL in package.json needs no setting.
    SOURCE_URL: parsed.data.SOURCE_URL ?? (packageJson as { homepage?: string }).homepage,
  };
}

/** Megabytes of this machine, or of its cgroup (a container's limit). */
function machineMemory(): number {
  const limit = process.constrainedMemory();
  return Math.floor((limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 2 ** 20);
}

let cached: Env | undefined;

/**
 * The settings of this process, parsed once.
 *
 * @throws SettingsError
 */
export function env(): Env {
  if (cached === undefined) {
    cached = parseEnv(process.env);
    // next-auth reads this setting from the environment only.
    process.env.NEXTAUTH_URL = cached.PUBLIC_URL;
  }
  return cached;
}

/** For tests that change variables: the next call of `env` reads them. */
export function forgetEnv(): void {
  cached = undefined;
}

/** Environment of child processes, without secrets. */
export function minimalEnvironment(): NodeJS.ProcessEnv {
  const { NODE_ENV, PATH, SystemRoot } = process.env;
  return { NODE_ENV, PATH, SystemRoot };
}

/**
 * The server's URL for a browser on this machine.
 *
 * @param host `0.0.0.0` and `::` include localhost
 */
export function localAddress(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Settings that are set together or not at all. */
const GROUPS = [
  ["ADMIN_EMAIL", "ADMIN_PASSWORD"],
  ["GITHUB_ID", "GITHUB_SECRET"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  ["SMTP_URL", "SMTP_FROM"],
  ["AI_BASE_URL", "AI_MODEL"],
] as const;

function inconsistencies(settings: z.infer<typeof schema>): string[] {
  const isUnset = (name: keyof typeof settings) => settings[name] === undefined;
  const problems: string[] = [];
  for (const names of GROUPS) {
    const missing = names.filter(isUnset);
    if (missing.length > 0 && missing.length < names.length)
      problems.push(
        `${names.join(", ")} belong together, and ${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not set.`,
      );
  }
  const need = (name: keyof typeof settings, where: string) => {
    if (isUnset(name)) problems.push(`${name} must be set ${where}.`);
  };
  if (settings.PROCESSES !== "all")
    need("DATABASE_URL", `for PROCESSES=${settings.PROCESSES}: the other processes use the same database`);
  if (!isUnset("SMTP_URL")) need("PUBLIC_URL", "for e-mail: its links lead there");
  if (!isUnset("GITHUB_ID") || !isUnset("OIDC_ISSUER"))
    need("PUBLIC_URL", "for sign-in through another service: it is where that service sends people back to");
  if (!isUnset("VERCEL"))
    for (const name of [
      "PUBLIC_URL",
      "DATABASE_URL",
      "AUTH_SECRET",
      "ENCRYPTION_KEY",
      "CRON_SECRET",
    ] as const)
      need(name, "on Vercel");
  return problems;
}

/** The invalid value for an error, unless it is a secret. */
function shown(name: PropertyKey | undefined, given: Record<string, string>): string {
  const value = given[String(name)];
  return value === undefined || SECRET.test(String(name)) ? "" : `, not "${value}"`;
}
