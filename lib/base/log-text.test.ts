import pino from "pino";
import { expect, it } from "vitest";
import { describeLogLine } from "./log-text.ts";

function linesOf(write: (log: pino.Logger) => void): string[] {
  const lines: string[] = [];
  write(
    pino(
      {
        base: { app: "sluice" },
        formatters: { level: (label) => ({ level: label }) },
        timestamp: pino.stdTimeFunctions.isoTime,
        redact: { paths: ["*.password"], censor: "[redacted]" },
      },
      { write: (line) => void lines.push(describeLogLine(line)) },
    ),
  );
  return lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ""));
}

it("shows level, message and fields on one line, redacted", () => {
  expect(
    linesOf((log) => {
      log.warn({ stream: 3, host: "m.example", reason: "two words" }, "fetch failed");
      log.info({ body: { password: "secret" } }, "signed in");
      log.info("ready");
    }),
  ).toEqual([
    'WARN  fetch failed stream=3 host=m.example reason="two words"\n',
    'INFO  signed in body={"password":"[redacted]"}\n',
    "INFO  ready\n",
  ]);
});

it("shows an error with its stack, indented", () => {
  const [line = ""] = linesOf((log) => log.error({ err: new Error("no room") }, "backup failed"));
  expect(line).toMatch(/^ERROR backup failed\n {4}Error: no room\n {8}at /);
});
