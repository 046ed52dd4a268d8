import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { woffToSfnt } from "./woff-to-sfnt.ts";

export type TestBrowser = {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
};

const resolve = createRequire(import.meta.url).resolve;

/** Fonts of npm packages for what the usual systems lack: Japanese (and with it most of Chinese), emoji. */
const FONTS = [
  "@fontsource/noto-sans-jp/files/noto-sans-jp-japanese-400-normal.woff",
  "@fontsource/noto-sans-jp/files/noto-sans-jp-japanese-700-normal.woff",
  "@fontsource/noto-sans-jp/files/noto-sans-jp-latin-400-normal.woff",
  "@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff",
];

/**
 * Finds a Chromium: CHROMIUM_PATH, the machine's own, or the one npm brought, unpacked into `folder`.
 * @param folder an existing folder of this run's own
 * @throws Error when there is none: journeys are never skipped
 */
export async function prepareChromium(folder: string): Promise<TestBrowser> {
  const own = process.env.CHROMIUM_PATH ?? findInstalled();
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--font-render-hinting=none"];
  const env: Record<string, string> = {
    ...definedOnly(process.env),
    // Chromium keeps profile, cache and crash reports below the home folder, which may be read-only.
    HOME: folder,
    ...(process.platform === "linux" ? await prepareFonts(folder) : {}),
  };
  if (own !== null) return { executablePath: own, args, env };
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("There is no Chrome or Chromium on this machine: install one, or set CHROMIUM_PATH.");
  }
  const executablePath = await unpack(folder);
  if (!lacksLibraries(executablePath)) return { executablePath, args, env };
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

async function unpack(folder: string): Promise<string> {
  const { inflate } = await import("@sparticuz/chromium");
  const archives = path.join(path.dirname(resolve("@sparticuz/chromium")), "..", "bin");
  // It unpacks into the system's temporary folder, where another run's browser may already lie.
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

function lacksLibraries(executable: string): boolean {
  return /not found/.test(spawnSync("ldd", [executable], { encoding: "utf8" }).stdout ?? "");
}

async function prepareFonts(folder: string): Promise<Record<string, string>> {
  const fonts = path.join(folder, "npm-fonts");
  await mkdir(fonts, { recursive: true });
  for (const font of FONTS) {
    const target = path.join(fonts, `${path.basename(font, ".woff")}.ttf`);
    await writeFile(target, woffToSfnt(await readFile(resolve(font))));
  }
  const directories = ["/usr/share/fonts", "/usr/local/share/fonts", path.join(folder, "fonts"), fonts];
  const configuration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${directories.map((directory) => `  <dir>${directory}</dir>`).join("\n")}
  <cachedir>${path.join(folder, "font-cache")}</cachedir>
</fontconfig>
`;
  const file = path.join(folder, "fonts.conf");
  await writeFile(file, configuration);
  return { FONTCONFIG_FILE: file };
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
