import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { inflateSync } from "node:zlib";
import { chromium, type Browser } from "playwright";

export type TestBrowser = {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
};

const resolve = createRequire(import.meta.url).resolve;

/** Japanese, most of Chinese, and emoji, which servers usually lack. */
const FONTS = [
  "@fontsource/noto-sans-jp/files/noto-sans-jp-japanese-400-normal.woff",
  "@fontsource/noto-sans-jp/files/noto-sans-jp-japanese-700-normal.woff",
  "@fontsource/noto-sans-jp/files/noto-sans-jp-latin-400-normal.woff",
  "@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff",
];

/**
 * Finds a Chromium: CHROMIUM_PATH, an installed one, or the one from npm, unpacked into `folder`.
 *
 * @throws Error when there is none, because browser tests are never skipped
 */
export async function prepareChromium(folder: string): Promise<TestBrowser> {
  const own = process.env.CHROMIUM_PATH ?? findInstalled();
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--font-render-hinting=none"];
  const env: Record<string, string> = {
    ...definedOnly(process.env),
    // Chromium writes below HOME, which may be read-only.
    HOME: folder,
    ...(process.platform === "linux" ? await prepareFonts(folder) : {}),
  };
  if (own !== null) return { executablePath: own, args, env };
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("No Chrome or Chromium was found: install one, or set CHROMIUM_PATH.");
  }
  const executablePath = await unpack(folder);
  if (!isMissingLibraries(executablePath)) return { executablePath, args, env };
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

function isMissingLibraries(executable: string): boolean {
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

const HEADER = 44;
const ENTRY = 20;

/**
 * Converts WOFF 1.0 to OpenType, because fontconfig does not read web fonts.
 * https://www.w3.org/TR/WOFF/#DataTables
 *
 * @throws Error when the bytes are not WOFF 1.0
 */
function woffToSfnt(woff: Buffer): Buffer {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("not a WOFF 1.0 font");
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const entry = HEADER + index * ENTRY;
    const offset = woff.readUInt32BE(entry + 4);
    const packed = woff.readUInt32BE(entry + 8);
    const length = woff.readUInt32BE(entry + 12);
    const bytes = woff.subarray(offset, offset + packed);
    return {
      tag: woff.subarray(entry, entry + 4),
      checksum: woff.readUInt32BE(entry + 16),
      data: packed < length ? inflateSync(bytes) : bytes,
    };
  });
  const directory = Buffer.alloc(12 + 16 * count);
  woff.copy(directory, 0, 4, 8);
  const power = 2 ** Math.floor(Math.log2(count));
  directory.writeUInt16BE(count, 4);
  directory.writeUInt16BE(power * 16, 6);
  directory.writeUInt16BE(Math.log2(power), 8);
  directory.writeUInt16BE((count - power) * 16, 10);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  for (const [index, table] of tables.entries()) {
    const entry = 12 + 16 * index;
    table.tag.copy(directory, entry);
    directory.writeUInt32BE(table.checksum, entry + 4);
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(table.data.length, entry + 12);
    const padding = (4 - (table.data.length % 4)) % 4;
    parts.push(table.data, Buffer.alloc(padding));
    offset += table.data.length + padding;
  }
  return Buffer.concat(parts);
}

export async function openBrowser(): Promise<{ browser: Browser; close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "sluice-browser-"));
  try {
    const browser = await chromium.launch(await prepareChromium(folder));
    return {
      browser,
      close: async () => {
        await browser.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
