import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/*
 * The first load of the desk in a browser: the modules that its page and the layouts around it
 * import, and those import in turn. Modules behind `import()` come later and are not counted.
 */

const ROOT = path.resolve(import.meta.dirname, "..");
const STARTS = ["review/page.tsx", "layout.tsx", "error.tsx"].map((file) => `app/(console)/${file}`);

function firstLoad(
  starts = [...STARTS, "app/layout.tsx", "app/not-found.tsx", "app/global-error.tsx"],
): Map<string, string> {
  const found = new Map<string, string>();
  const open = [...starts];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const full = path.join(ROOT, file);
    if (found.has(file) || !existsSync(full)) continue;
    const source = readFileSync(full, "utf8");
    found.set(file, source);
    for (const [, from = ""] of source.matchAll(/^(?:im|ex)port\s(?!type\b)[^;]*?from "([^"]+)";/gm)) {
      if (from.startsWith("#")) open.push(from.slice(1));
      else if (from.startsWith("./")) open.push(path.join(path.dirname(file), from));
    }
  }
  return found;
}

test("the desk takes its words from words/desk.ts, so that those of other screens stay behind", () => {
  const modules = firstLoad();
  expect(modules.has("components/review/decision-bar.tsx")).toBe(true);
  const whole = [...modules].filter(([, source]) => /from "#components\/words\/(?:en|all)\.ts"/.test(source));
  expect(whole.map(([file]) => file)).toEqual([]);
});

test("menus, dialogs, tooltips, toasts and the cache of answers are loaded with their first use", () => {
  const heavy = /^import (?!type\b)[^;]*from "(radix-ui|swr|cmdk|recharts|sonner)"/m;
  const brought = [...firstLoad()].filter(([, source]) => heavy.test(source));
  expect(brought.map(([file]) => file)).toEqual([]);
});

test("client modules import types of schemas only, because zod is larger than the desk", () => {
  const client = [...firstLoad()].filter(([, source]) => source.startsWith('"use client"'));
  const loaded = firstLoad(client.map(([file]) => file));
  expect(loaded.has("components/post/check-result.tsx")).toBe(true);
  const brought = [...loaded].filter(([, source]) => /^import (?!type\b)[^;]*from "zod"/m.test(source));
  expect(brought.map(([file]) => file)).toEqual([]);
});
