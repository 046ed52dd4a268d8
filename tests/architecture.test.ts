import { globSync, existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { rooms } from "../oxlint.config.ts";

/* Rules of the code base that neither the compiler, the linter nor the build checks. */

test("lib has no folder but the rooms of oxlint.config.ts", () => {
  const folders = readdirSync("lib", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const known = [...rooms, "client"];
  expect(folders.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
});

const withoutFences = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "");

/** Anchors of headings, as GitHub makes them. */
const anchorsOf = (text: string) =>
  [...withoutFences(text).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = ""]) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );

function isBroken(file: string, link: string): boolean {
  const [to = "", anchor] = link.split("#");
  const target = to === "" ? file : path.join(path.dirname(file), to);
  if (!existsSync(target)) return true;
  return (
    anchor !== undefined &&
    target.endsWith(".md") &&
    !anchorsOf(readFileSync(target, "utf8")).includes(anchor)
  );
}

test("documents link to files and headings that exist", () => {
  const files = globSync(
    "{*.md,{app,components,contrib,data,docs,examples,lib,prisma,public,tests}/**/*.md}",
  );
  const links = files.flatMap((file) =>
    [
      ...withoutFences(readFileSync(file, "utf8")).matchAll(
        /\]\(<?([^)>\s]+)>?\)|(?:src|srcset|href)="([^"]+)"/g,
      ),
    ]
      .map(([, link, attribute]) => ({ file, link: link ?? attribute ?? "" }))
      .filter(({ link }) => !/^(https?:|mailto:)/.test(link)),
  );
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter(({ file, link }) => isBroken(file, link))).toEqual([]);
});
