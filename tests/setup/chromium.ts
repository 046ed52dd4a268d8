import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type Browser } from "playwright";

export type TestBrowser = {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
};

/**
 * Finds a Chromium: CHROMIUM_PATH, an installed one, or the one from npm, unpacked into `folder`.
 *
 * @throws Error when there is none, because browser tests are never skipped
 */
export async function prepareChromium(folder: string): Promise<TestBrowser> {
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--font-render-hinting=none"];
  // Chromium writes below HOME, which may be read-only.
  const env = { ...(process.env as Record<string, string>), HOME: folder };
  const own = process.env.CHROMIUM_PATH ?? findInstalled();
  if (own !== null) return { executablePath: own, args, env };
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("No Chrome or Chromium was found: install one, or set CHROMIUM_PATH.");
  const executablePath = await unpack(folder);
  const { stdout } = spawnSync("ldd", [executablePath], { encoding: "utf8" });
  if (!stdout?.includes("not found")) return { executablePath, args, env };
  return { executablePath, args, env: { ...env, LD_LIBRARY_PATH: path.join(folder, "al2023", "lib") } };
}

function findInstalled(): string | null {
  const names = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"];
  const candidates = (process.env.PATH ?? "")
    .split(path.delimiter)
    .flatMap((directory) => names.map((name) => path.join(directory, name)));
  candidates.push("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The archives of @sparticuz/chromium: the program, its graphics library, its system libraries and fonts. */
async function unpack(folder: string): Promise<string> {
  const { inflate } = await import("@sparticuz/chromium");
  const main = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const archives = path.join(path.dirname(main), "..", "bin");
  // `inflate` writes to TMPDIR and would reuse another run's file.
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    const names = ["chromium.br", "swiftshader.tar.br", "al2023.tar.br", "fonts.tar.br"];
    const [executable] = await Promise.all(names.map((name) => inflate(path.join(archives, name))));
    return executable ?? "";
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

export async function openBrowser(): Promise<{ browser: Browser; close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "sluice-browser-"));
  const clean = () => rm(folder, { recursive: true, force: true });
  try {
    const browser = await chromium.launch(await prepareChromium(folder));
    return {
      browser,
      close: async () => {
        await browser.close();
        await clean();
      },
    };
  } catch (error) {
    await clean();
    throw error;
  }
}
