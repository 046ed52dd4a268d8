import { afterEach, beforeEach } from "vitest";

/*
 * What a program says on the console without being asked is a fault nobody has looked at yet, so it fails the
 * test. A test that expects such output puts its own spy there first: vi.spyOn(console, "error").
 */

process.env.LOG_LEVEL ??= "silent";

const said: string[] = [];

beforeEach(() => {
  said.length = 0;
  for (const level of ["error", "warn"] as const) {
    console[level] = (...parts: unknown[]) => {
      said.push(`console.${level}: ${parts.map(asText).join(" ")}`);
    };
  }
});

afterEach(() => {
  if (said.length > 0) throw new Error(`Unexpected console output:\n${said.join("\n")}`);
});

function asText(part: unknown): string {
  return part instanceof Error ? (part.stack ?? part.message) : String(part);
}
