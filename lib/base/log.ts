import pino from "pino";
import { env } from "./env.ts";
import { describeLogLine } from "./log-text.ts";

const { LOG_LEVEL } = env();
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

/** JSON lines, or text for a person at a terminal. Credentials are redacted in both. */
export const log = process.stdout.isTTY
  ? pino(options, { write: (line) => void process.stdout.write(describeLogLine(line)) })
  : pino(options);
