import pino from "pino";
import { env } from "#lib/env.ts";

/** JSON lines with credentials redacted. */
export const log = pino({
  level: env().LOG_LEVEL,
  base: { app: "sluice" },
  redact: {
    paths: [
      "*.password",
      "*.api_key",
      "*.token",
      "*.authorization",
      "*.cookie",
      "*.secret",
      "headers.authorization",
      "headers.cookie",
      'headers["x-api-key"]',
    ],
    censor: "[redacted]",
  },
});
