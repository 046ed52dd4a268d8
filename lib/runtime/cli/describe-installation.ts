import { type Env, secretNames, variableNames } from "#lib/env.ts";
import packageJson from "../../../package.json" with { type: "json" };
import type { CommandLine } from "./commands.ts";

/** Replies of commands without a database: `version`, and `config`, which shows no secret. */
export function describeInstallation({ name, json }: CommandLine, settings: Env): string {
  const data =
    name === "version"
      ? { version: packageJson.version, node: process.version }
      : effectiveSettings(settings);
  if (json) return JSON.stringify(data, null, 2);
  if ("version" in data) return `Sluice ${data.version}, Node.js ${data.node}`;
  return Object.entries(data)
    .map(([variable, value]) => `${variable}=${value ?? ""}`)
    .join("\n");
}

function effectiveSettings(settings: Env): Record<string, string | number | boolean | null> {
  const given = settings as unknown as Record<string, string | number | boolean | string[] | undefined>;
  return Object.fromEntries(
    variableNames.map((name) => {
      const value = given[name] ?? null;
      if (secretNames.includes(name)) return [name, value === null ? null : "(set, not shown)"];
      return [name, Array.isArray(value) ? value.join(",") : value];
    }),
  );
}
