import pino from "pino";
import { env } from "#lib/env.ts";
import { describeLogLine } from "#lib/log-text.ts";

const { LOG_LEVEL, LOG_FORMAT } = env();
const options: pino.LoggerOptions = {
  level: LOG_LEVEL,
  base: { app: "sluice" },
  formatters: { level: (label) => ({ level: label }) },
  timestamp: pino.stdTimeFunctions.isoTime,
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
};
const isText = LOG_FORMAT === "text" || (LOG_FORMAT === "auto" && process.stdout.isTTY);

/** JSON lines, or text for a person at a terminal. Credentials are redacted in both. */
export const log = isText
  ? pino(options, { write: (line) => void process.stdout.write(describeLogLine(line)) })
  : pino(options);
